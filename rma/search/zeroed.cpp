#include "rma/search/zeroed.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace matchpoint::rma {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20U;

} // namespace

void FreeZeroed::operator()(void* aligned) const {
    if (mapped > 0)
        ::munmap(whole, mapped);
    else
        std::free(aligned); // NOLINT(cppcoreguidelines-no-malloc): it comes from calloc
}

std::unique_ptr<void, FreeZeroed> zeroed_memory(std::size_t bytes) {
    if (bytes < huge_page) {
        void* const p = std::calloc(bytes, 1); // NOLINT(cppcoreguidelines-no-malloc): new would write the zeros
        if (p == nullptr) throw std::bad_alloc();
        return {p, {}};
    }
    std::size_t const mapped = bytes + huge_page;
    void* const whole = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED) throw std::bad_alloc();
    auto const address = reinterpret_cast<std::uintptr_t>(whole);
    std::uintptr_t const skipped = (huge_page - address % huge_page) % huge_page;
    void* const aligned = static_cast<char*>(whole) + skipped;
    ::madvise(aligned, bytes, MADV_HUGEPAGE); // if it fails, pages are small
    return {aligned, {whole, mapped}};
}

} // namespace matchpoint::rma
