// A pool of two workers. The owner of the tasks takes them from the back, the other one steals them from the front.
//
// The owner looks whether one is left and takes it without the lock. If it is the last one, both may take it.
// Repaired: the owner takes the lock, too.
//
// truth: fails at 43, data race (second path)
// truth -DREPAIRED: nothing
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
int front = 0, back = 2;
std::array<int, 2> done;

int take() {
#ifdef REPAIRED
    std::lock_guard const guard(mutex);
#endif
    if (front >= back) return -1;
    return --back;
}

int steal() {
    std::lock_guard const guard(mutex);
    if (front >= back) return -1;
    return front++;
}

void work(int (*next)()) {
    for (int task = next(); task >= 0; task = next()) ++done[static_cast<std::size_t>(task)];
}

} // namespace

int main() {
    std::thread owner(work, take), thief(work, steal);
    owner.join();
    thief.join();
    assert(done[0] == 1 && done[1] == 1);
    return 0;
}
