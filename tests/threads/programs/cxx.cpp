// C++: exceptions, virtual functions, std::thread and what it comes with.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
std::shared_mutex shared;
std::condition_variable ready;
std::map<std::string, int> counts;
std::vector<int> numbers;
std::atomic<int> turn{0};
bool is_open = false;

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int s) : side(s) {}
    int area() const override { return side * side; }
};
struct Line : Shape {
    int area() const override { throw std::runtime_error("a line has no area"); }
};

int area_of(Shape const& shape) {
    try {
        return shape.area();
    } catch (std::exception const& e) {
        return static_cast<int>(std::string(e.what()).size());
    }
}

int& once() {
    static int value = [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return 42;
    }();
    return value;
}

void work(int number) {
    {
        std::unique_lock<std::mutex> lock(mutex);
        ready.wait(lock, [] { return is_open; });
    }
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 4; ++i) {
        if (i == number)
            shapes.push_back(std::make_unique<Line>());
        else
            shapes.push_back(std::make_unique<Square>(i + once() - 42));
    }
    while (turn.load(std::memory_order_acquire) != number) std::this_thread::yield();
    for (auto const& shape : shapes) {
        std::lock_guard<std::mutex> lock(mutex);
        numbers.push_back(area_of(*shape));
        ++counts["area " + std::to_string(numbers.back() % 3)];
    }
    {
        std::unique_lock<std::shared_mutex> lock(shared);
        std::sort(numbers.begin(), numbers.end());
    }
    turn.fetch_add(1, std::memory_order_release);
    std::shared_lock<std::shared_mutex> lock(shared);
    if (numbers.empty()) std::terminate();
}

} // namespace

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(work, i);
    {
        std::lock_guard<std::mutex> lock(mutex);
        is_open = true;
    }
    ready.notify_all();
    std::future<int> answer = std::async(std::launch::async, [] { return once(); });
    std::future<int> none = std::async(std::launch::async, []() -> int { throw std::logic_error("none"); });
    for (std::thread& thread : threads) thread.join();
    int sum = answer.get();
    try {
        sum += none.get();
    } catch (std::logic_error const& e) {
        sum += 1000;
    }
    for (auto const& [name, count] : counts) std::printf("%s: %d\n", name.c_str(), count);
    for (int const n : numbers) sum += n;
    std::printf("%d\n", sum);
}
