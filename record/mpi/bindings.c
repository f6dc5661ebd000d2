// MPI's bindings for Fortran are libraries of their own. They turn handles, statuses, logicals and constants into those
// of C, and call the C functions: Open MPI's all PMPI_ functions, which nobody can define anew, and MPICH's some of
// them. So their calls are led to the recorder, which then sees what a program in C would call.
//
// A library calls the functions of others through pointers, its relocations. The dynamic linker fills them in. Those
// for PMPI_Send, and so on, get the address of our MPI_Send.
#define _GNU_SOURCE
#include "output.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#if __ELF_NATIVE_CLASS == 64
#define SYMBOL_OF ELF64_R_SYM
#else
#define SYMBOL_OF ELF32_R_SYM
#endif

static bool are_bindings(char const* path) {
    static char const* const names[] = {"libmpi_mpifh", "libmpi_usempi", "libmpichfort", "libmpifort"};
    char const* const slash = strrchr(path, '/');
    char const* const name = slash == NULL ? path : slash + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

// ---- where they are -------------------------------------------------------------------------------------------------

enum { most_libraries = 8 };
static struct range { uintptr_t begin, end; } libraries[most_libraries];
static unsigned library_count;

/// Remembers where a library is loaded.
static void note(struct dl_phdr_info const* info) {
    struct range r = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        ElfW(Phdr) const* const p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD) continue;
        uintptr_t const begin = info->dlpi_addr + p->p_vaddr;
        if (begin < r.begin) r.begin = begin;
        if (begin + p->p_memsz > r.end) r.end = begin + p->p_memsz;
    }
    if (!is_in_bindings((void const*)r.begin) && library_count < most_libraries) libraries[library_count++] = r;
}

bool is_in_bindings(void const* address) {
    for (unsigned i = 0; i < library_count; ++i)
        if ((uintptr_t)address >= libraries[i].begin && (uintptr_t)address < libraries[i].end) return true;
    return false;
}

// ---- what they call -------------------------------------------------------------------------------------------------

/// What a library says of its relocations.
struct relocations {
    char const* first;
    size_t size, entry_size;
    bool are_calls; // of functions, and of nothing else
};

static void* own; // a handle of the recorder
static void* own_base;

/// The recorder's MPI_Send for "PMPI_Send". Null if it has no such function.
static void* own_function(char const* name) {
    if (strncmp(name, "PMPI_", 5) != 0) return NULL;
    Dl_info info;
    void* const function = dlsym(own, name + 1);
    return function != NULL && dladdr(function, &info) != 0 && info.dli_fbase == own_base ? function : NULL;
}

/// A pointer that is not one of the calls may be anything; it is led here if it has the address of the function.
static void lead_here(ElfW(Addr) base, struct relocations r, ElfW(Sym) const* symbols, char const* names) {
    for (size_t at = 0; at + r.entry_size <= r.size; at += r.entry_size) {
        ElfW(Rel) const* const one = (ElfW(Rel) const*)(uintptr_t)(r.first + at);
        char const* const name = names + symbols[SYMBOL_OF(one->r_info)].st_name;
        void* const function = own_function(name);
        if (function == NULL) continue;
        void** const pointer = (void**)(base + one->r_offset);
        if (r.are_calls || *pointer == dlsym(RTLD_DEFAULT, name)) *pointer = function;
    }
}

/// The part of a library that the dynamic linker has made read-only, in whole pages.
static void protect(struct dl_phdr_info const* info, int protection) {
    uintptr_t const page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        ElfW(Phdr) const* const p = &info->dlpi_phdr[i];
        if (p->p_type != PT_GNU_RELRO) continue;
        uintptr_t const begin = (info->dlpi_addr + p->p_vaddr) / page * page;
        uintptr_t const end = (info->dlpi_addr + p->p_vaddr + p->p_memsz) / page * page;
        if (begin < end) mprotect((void*)begin, end - begin, protection);
    }
}

static ElfW(Dyn) const* dynamic_section(struct dl_phdr_info const* info) {
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (ElfW(Dyn) const*)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    return NULL;
}

static int lead_library_here(struct dl_phdr_info* info, size_t size, void* nothing) {
    (void)size;
    (void)nothing;
    if (!are_bindings(info->dlpi_name)) return 0;
    note(info);
    ElfW(Dyn) const* d = dynamic_section(info);
    struct relocations calls = {.entry_size = sizeof(ElfW(Rela)), .are_calls = true}, others = {0};
    ElfW(Sym) const* symbols = NULL;
    char const* names = NULL;
    for (; d != NULL && d->d_tag != DT_NULL; ++d) {
        // Where the section is read-only, its addresses are those of the file.
        ElfW(Addr) const address = d->d_un.d_ptr < info->dlpi_addr ? info->dlpi_addr + d->d_un.d_ptr : d->d_un.d_ptr;
        switch (d->d_tag) {
        case DT_SYMTAB: symbols = (ElfW(Sym) const*)address; break;
        case DT_STRTAB: names = (char const*)address; break;
        case DT_JMPREL: calls.first = (char const*)address; break;
        case DT_PLTRELSZ: calls.size = d->d_un.d_val; break;
        case DT_PLTREL: calls.entry_size = d->d_un.d_val == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel)); break;
        case DT_RELA:
        case DT_REL: others.first = (char const*)address; break;
        case DT_RELASZ:
        case DT_RELSZ: others.size = d->d_un.d_val; break;
        case DT_RELAENT:
        case DT_RELENT: others.entry_size = d->d_un.d_val; break;
        default: break;
        }
    }
    if (symbols == NULL || names == NULL) return 0;
    protect(info, PROT_READ | PROT_WRITE);
    if (calls.first != NULL) lead_here(info->dlpi_addr, calls, symbols, names);
    if (others.first != NULL && others.entry_size != 0) lead_here(info->dlpi_addr, others, symbols, names);
    protect(info, PROT_READ);
    return 0;
}

static int count_loaded(struct dl_phdr_info* info, size_t size, void* loaded) {
    (void)size;
    *(unsigned long long*)loaded = info->dlpi_adds;
    return 1; // all say the same
}

/// First before the program begins.
__attribute__((constructor)) void lead_bindings_here(void) {
    static unsigned long long loaded_before;
    unsigned long long loaded = 0;
    dl_iterate_phdr(count_loaded, &loaded);
    if (loaded == loaded_before) return;
    loaded_before = loaded;
    unsigned const count_before = library_count;
    Dl_info info;
    if (own == NULL && dladdr((void*)(uintptr_t)lead_bindings_here, &info) != 0) {
        own = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        own_base = info.dli_fbase;
    }
    if (own != NULL) dl_iterate_phdr(lead_library_here, NULL);
    if (is_recording() && library_count != count_before)
        not_modelled("MPI_Init", 0,
                     "MPI's bindings for Fortran were loaded after it; what they have called since is not recorded");
}

// ---- who calls them -------------------------------------------------------------------------------------------------

struct search {
    void const* from;
    void const* found;
    bool is_past;
};

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context* frame, void* data) {
    struct search* const s = data;
    void const* const address = (void const*)_Unwind_GetIP(frame);
    s->is_past = s->is_past || address == s->from;
    if (!s->is_past || is_in_bindings(address)) return _URC_NO_REASON;
    s->found = address;
    return _URC_END_OF_STACK;
}

void const* caller_of_bindings(void const* return_address) {
    struct search s = {.from = return_address};
    _Unwind_Backtrace(look_at_frame, &s);
    return s.found;
}
