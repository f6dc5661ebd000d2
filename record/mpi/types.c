// What types consist of: the basic types of their elements in order, their signature (MPI-3.1, 3.3.1, 4.1). The file
// has each type once, and messages name its number.
#include "values.h"

#include <stdlib.h>
#include <string.h>

enum { most_runs = 32, most_named = 256 };

/// Runs of elements of one basic type, and how many times all of them are repeated. With more runs than there is room
/// for, it is not known.
struct signature {
    bool is_known;
    int n;
    int64_t times;
    struct run {
        MPI_Datatype basic;
        int64_t count;
    } runs[most_runs];
};

// ---- signatures -----------------------------------------------------------------------------------------------------

static bool is_same(struct signature const* a, struct signature const* b) {
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n; ++i)
        if (a->runs[i].basic != b->runs[i].basic || a->runs[i].count != b->runs[i].count) return false;
    return true;
}

static void add_run(struct signature* s, struct run run) {
    if (s->n != 0 && s->runs[s->n - 1].basic == run.basic)
        s->runs[s->n - 1].count += run.count;
    else if (s->n < most_runs)
        s->runs[s->n++] = run;
    else
        s->is_known = false;
}

/// Behind the first one the second one, so many times.
static void append(struct signature* s, struct signature const* part, int64_t times) {
    s->is_known = s->is_known && part->is_known;
    if (!s->is_known || part->n == 0 || times <= 0) return;
    struct signature next = *part;
    next.times *= times;
    if (next.n == 1) {
        next.runs[0].count *= next.times;
        next.times = 1;
    }
    if (s->n == 0) {
        *s = next;
    } else if (s->n > 1 && is_same(s, &next)) {
        s->times += next.times;
    } else if (s->times * s->n + next.times * next.n > most_runs) {
        s->is_known = false;
    } else {
        struct signature const before = *s;
        s->n = 0;
        s->times = 1;
        for (int64_t k = 0; k < before.times; ++k)
            for (int i = 0; i < before.n; ++i) add_run(s, before.runs[i]);
        for (int64_t k = 0; k < next.times; ++k)
            for (int i = 0; i < next.n; ++i) add_run(s, next.runs[i]);
    }
}

/// A pair of MPI_MINLOC has two elements.
static bool add_pair(struct signature* s, MPI_Datatype type) {
    struct pair {
        MPI_Datatype pair, first, second;
    };
    struct pair const pairs[] = {{MPI_2INT, MPI_INT, MPI_INT},
                                 {MPI_FLOAT_INT, MPI_FLOAT, MPI_INT},
                                 {MPI_DOUBLE_INT, MPI_DOUBLE, MPI_INT},
                                 {MPI_LONG_INT, MPI_LONG, MPI_INT},
                                 {MPI_SHORT_INT, MPI_SHORT, MPI_INT},
                                 {MPI_LONG_DOUBLE_INT, MPI_LONG_DOUBLE, MPI_INT},
                                 {MPI_2INTEGER, MPI_INTEGER, MPI_INTEGER},
                                 {MPI_2REAL, MPI_REAL, MPI_REAL},
                                 {MPI_2DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
        if (pairs[i].pair == type && type != MPI_DATATYPE_NULL) {
            add_run(s, (struct run){pairs[i].first, 1});
            add_run(s, (struct run){pairs[i].second, 1});
            return true;
        }
    return false;
}

static struct signature signature_of(MPI_Datatype type) {
    struct signature s = {.is_known = true, .times = 1};
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED, size = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    PMPI_Type_size(type, &size);
    if (combiner == MPI_COMBINER_NAMED) {
        if (size > 0 && !add_pair(&s, type)) add_run(&s, (struct run){type, 1});
        return s;
    }
    if (types == 0) { // one of Fortran's that is chosen by its precision
        s.is_known = false;
        return s;
    }
    int* const numbers = allocate((size_t)integers * sizeof(int));
    MPI_Aint* const displacements = allocate((size_t)addresses * sizeof(MPI_Aint));
    MPI_Datatype* const parts = allocate((size_t)types * sizeof(MPI_Datatype));
    PMPI_Type_get_contents(type, integers, addresses, types, numbers, displacements, parts);
    for (int i = 0; i < types; ++i) {
        struct signature const part = signature_of(parts[i]);
        int of_part = 0;
        PMPI_Type_size(parts[i], &of_part);
        // Types of one part repeat it until they have their size; those of several say how often each is there.
        if (types == 1)
            append(&s, &part, of_part == 0 ? 0 : size / of_part);
        else
            append(&s, &part, i + 1 < integers ? numbers[i + 1] : 1);
        int numbers_of_part = 0, addresses_of_part = 0, types_of_part = 0;
        PMPI_Type_get_envelope(parts[i], &numbers_of_part, &addresses_of_part, &types_of_part, &combiner);
        if (combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&parts[i]); // these are new handles
    }
    free(numbers);
    free(displacements);
    free(parts);
    return s;
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static int keyval = MPI_KEYVAL_INVALID; // types that the program has made carry their number as an attribute
static unsigned types;
static struct named {
    MPI_Datatype type;
    unsigned number_and_one; // 0: free
    int dense_size;
} named[most_named];

static void add_name_of_type(MPI_Datatype basic) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    PMPI_Type_get_name(basic, name, &length);
    for (char* c = name; *c != '\0'; ++c)
        if ((unsigned char)*c <= ' ') *c = '_';
    add_text(*name == '\0' ? "?" : name);
}

static unsigned describe(MPI_Datatype type) {
    struct signature const s = signature_of(type);
    int size = 0;
    PMPI_Type_size(type, &size);
    begin_line_of(an_aside, "type");
    add_number(types);
    add_number(size);
    add_number(s.is_known ? s.times : 0);
    for (int i = 0; s.is_known && i < s.n; ++i) {
        add_name_of_type(s.runs[i].basic);
        add_number(s.runs[i].count);
    }
    end_line();
    return types++;
}

static struct named* slot(MPI_Datatype type) {
    return &named[((uint64_t)(uintptr_t)type * 0x9E3779B97F4A7C15U >> 40) % most_named];
}

unsigned number_of_type(MPI_Datatype type) {
    struct named* const n = slot(type);
    if (n->number_and_one != 0 && n->type == type) return n->number_and_one - 1;
    int integers = 0, addresses = 0, parts = 0, combiner = MPI_COMBINER_NAMED, is_there = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &parts, &combiner);
    if (combiner == MPI_COMBINER_NAMED) { // the others may be freed, and their handles used again
        int size = 0;
        MPI_Aint low = 0, extent = 0;
        PMPI_Type_size(type, &size);
        PMPI_Type_get_extent(type, &low, &extent);
        bool const is_dense = size > 0 && low == 0 && extent == size;
        *n = (struct named){type, describe(type) + 1, is_dense ? size : 0};
        return n->number_and_one - 1;
    }
    if (keyval == MPI_KEYVAL_INVALID)
        PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
    void* value = NULL;
    PMPI_Type_get_attr(type, keyval, &value, &is_there);
    if (is_there) return (unsigned)(uintptr_t)value;
    unsigned const number = describe(type);
    PMPI_Type_set_attr(type, keyval, (void*)(uintptr_t)number);
    return number;
}

int dense_size(MPI_Datatype type) {
    struct named const* const n = slot(type);
    return n->number_and_one != 0 && n->type == type ? n->dense_size : 0;
}
