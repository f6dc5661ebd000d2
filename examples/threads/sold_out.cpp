// The last ticket, and two buyers. Who comes too late gets an exception, which a future carries to the main thread.
//
// Both may see that there is one before either of them takes it. Repaired: they look and take it under one lock.
//
// truth: fails at 43 (second path)
// truth -DREPAIRED: nothing
#include <cassert>
#include <future>
#include <mutex>
#include <stdexcept>

namespace {

std::mutex mutex;
int tickets = 1;

void buy() {
    std::unique_lock lock(mutex);
    if (tickets == 0) throw std::runtime_error("sold out");
#ifndef REPAIRED
    lock.unlock();
    lock.lock();
#endif
    --tickets;
}

bool succeeds(std::future<void>& sale) {
    try {
        sale.get();
        return true;
    } catch (std::runtime_error const&) {
        return false;
    }
}

} // namespace

int main() {
    std::future<void> first = std::async(std::launch::async, buy), second = std::async(std::launch::async, buy);
    int sold = 0;
    sold += succeeds(first) ? 1 : 0;
    sold += succeeds(second) ? 1 : 0;
    assert(sold == 1);
    return 0;
}
