// Types, groups and operations.
#include "seen.h"

/// What was made, and what it carries. Frees it.
static void made(int error, MPI_Datatype* type) {
    int size = 0;
    MPI_Aint low = 0, extent = 0;
    say(" %d", error);
    if (error != MPI_SUCCESS) return;
    MPI_Type_size(*type, &size);
    MPI_Type_get_extent(*type, &low, &extent);
    say("(%d %ld %ld)%d", size, (long)low, (long)extent, code(MPI_Type_commit(type)));
    memset(in, 0, sizeof in);
    MPI_Sendrecv(&out[2], 1, *type, other, tag, in, most, MPI_INT, other, tag, WORLD, &s[0]);
    status(&s[0]);
    received(4);
    say(" %d", code(MPI_Type_free(type)));
    say("%d", *type == MPI_DATATYPE_NULL);
}
#define MADE(call) made(code(call), &type)

static void types(void) {
    MPI_Datatype type, pair;
    int const lengths[2] = {1, 2}, starts[2] = {0, 2}, sizes[2] = {3, 2}, part[2] = {1, 2}, begin[2] = {1, 0};
    int const distribution[1] = {MPI_DISTRIBUTE_BLOCK}, standard[1] = {MPI_DISTRIBUTE_DFLT_DARG}, two[1] = {2};
    int const four[1] = {4};
    MPI_Aint const places[2] = {0, 8};
    MPI_Datatype const kinds[2] = {MPI_INT, MPI_INT};
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MADE(MPI_Type_contiguous(3, MPI_INT, &type));
    MADE(MPI_Type_contiguous(0, MPI_INT, &type));
    MADE(MPI_Type_vector(2, 1, 2, MPI_INT, &type));
    MADE(MPI_Type_vector(2, 1, -1, MPI_INT, &type));
    MADE(MPI_Type_create_hvector(2, 1, 8, MPI_INT, &type));
    MADE(MPI_Type_indexed(2, lengths, starts, MPI_INT, &type));
    MADE(MPI_Type_indexed(0, NULL, NULL, MPI_INT, &type));
    MADE(MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &type));
    MADE(MPI_Type_create_indexed_block(2, 1, starts, MPI_INT, &type));
    MADE(MPI_Type_create_hindexed_block(2, 1, places, MPI_INT, &type));
    MADE(MPI_Type_create_struct(2, lengths, places, kinds, &type));
    MADE(MPI_Type_create_struct(0, NULL, NULL, NULL, &type));
    MADE(MPI_Type_create_subarray(2, sizes, part, begin, MPI_ORDER_C, MPI_INT, &type));
    MADE(MPI_Type_create_darray(2, rank, 1, four, distribution, standard, two, MPI_ORDER_C, MPI_INT, &type));
    MADE(MPI_Type_create_resized(MPI_INT, 0, 12, &type));
    MADE(MPI_Type_dup(pair, &type));
    MADE(MPI_Type_dup(MPI_INT, &type));
    MPI_Type_free(&pair);
}

static void refused_types(void) {
    MPI_Datatype type = MPI_DATATYPE_NULL, basic = MPI_INT;
    int const one[1] = {1}, negative[1] = {-1};
    MPI_Aint const place[1] = {0};
    MPI_Datatype const null[1] = {MPI_DATATYPE_NULL};
    say(" %d", code(MPI_Type_contiguous(-1, MPI_INT, &type)));
    say(" %d", code(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type)));
    say(" %d", code(MPI_Type_vector(-1, 1, 1, MPI_INT, &type)));
    say(" %d", code(MPI_Type_create_hvector(1, 1, 1, MPI_DATATYPE_NULL, &type)));
    say(" %d", code(MPI_Type_indexed(-1, one, one, MPI_INT, &type)));
    say(" %d", code(MPI_Type_indexed(1, negative, one, MPI_INT, &type)));
    say(" %d", code(MPI_Type_create_hindexed(1, negative, place, MPI_INT, &type)));
    say(" %d", code(MPI_Type_create_indexed_block(-1, 1, one, MPI_INT, &type)));
    say(" %d", code(MPI_Type_create_hindexed_block(1, 1, place, MPI_DATATYPE_NULL, &type)));
    say(" %d", code(MPI_Type_create_struct(1, one, place, null, &type)));
    say(" %d", code(MPI_Type_create_struct(-1, one, place, null, &type)));
    say(" %d", code(MPI_Type_create_subarray(-1, one, one, one, MPI_ORDER_C, MPI_INT, &type)));
    say(" %d", code(MPI_Type_create_resized(MPI_DATATYPE_NULL, 0, 4, &type)));
    say(" %d", code(MPI_Type_dup(MPI_DATATYPE_NULL, &type)));
    type = MPI_DATATYPE_NULL;
    say(" %d", code(MPI_Type_commit(&type)));
    say(" %d", code(MPI_Type_free(&type)));
    say(" %d", code(MPI_Type_commit(&basic)));
    say(" %d", code(MPI_Type_free(&basic)));
}

static void ranks_of(int error, MPI_Group* group) {
    int size = 0, own = 0;
    say(" %d", error);
    if (error != MPI_SUCCESS) return;
    MPI_Group_size(*group, &size);
    MPI_Group_rank(*group, &own);
    say("(%d/%d)", own == MPI_UNDEFINED ? -1 : own, size);
    if (*group == MPI_GROUP_EMPTY) return;
    say("%d", code(MPI_Group_free(group)));
    say("%d", *group == MPI_GROUP_NULL);
}
#define GROUP(call) ranks_of(code(call), &group)

static void translated_ranks(void) {
    MPI_Group all;
    int const from[2] = {1, MPI_PROC_NULL};
    int found[2] = {-9, -9};
    MPI_Comm_group(WORLD, &all);
    say(" %d", code(MPI_Group_translate_ranks(all, 2, from, all, found)));
    say(" %d %d", found[0], found[1] == MPI_PROC_NULL);
    say(" %d", code(MPI_Group_translate_ranks(all, 0, NULL, all, NULL)));
    say(" %d", code(MPI_Group_translate_ranks(all, 1, from, MPI_GROUP_EMPTY, found)));
    say(" %d", found[0] == MPI_UNDEFINED);
    MPI_Group_free(&all);
}

/// Derived types that it gives have to be freed, whatever becomes of the type that has them.
static void contents(void) {
    MPI_Datatype pair, pairs, of[1];
    int counts[1] = {0}, size = 0;
    MPI_Aint addresses[1];
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_contiguous(3, pair, &pairs);
    say(" %d", code(MPI_Type_get_contents(pair, 1, 0, 1, counts, addresses, of)));
    say(" %d %d", counts[0], of[0] == MPI_INT);
    say(" %d", code(MPI_Type_get_contents(pairs, 1, 0, 1, counts, addresses, of)));
    MPI_Type_free(&pairs);
    MPI_Type_free(&pair);
    say(" %d", code(MPI_Type_size(of[0], &size)));
    say(" %d %d", counts[0], size);
    say(" %d", code(MPI_Type_free(of)));
}

static void groups(void) {
    MPI_Group all, group = MPI_GROUP_NULL;
    MPI_Comm_group(WORLD, &all);
    int const last[1] = {1}, bad[1] = {far};
    int range[1][3] = {{0, 1, 1}}, bad_range[1][3] = {{0, far, 1}}, no_step[1][3] = {{0, 1, 0}};
    GROUP(MPI_Group_incl(all, 1, last, &group));
    GROUP(MPI_Group_incl(all, 0, NULL, &group));
    GROUP(MPI_Group_incl(all, 1, bad, &group));
    GROUP(MPI_Group_incl(all, -1, last, &group));
    GROUP(MPI_Group_incl(MPI_GROUP_NULL, 1, last, &group));
    GROUP(MPI_Group_excl(all, 1, last, &group));
    GROUP(MPI_Group_excl(all, 0, NULL, &group));
    GROUP(MPI_Group_excl(all, 1, bad, &group));
    GROUP(MPI_Group_range_incl(all, 1, range, &group));
    GROUP(MPI_Group_range_incl(all, 0, NULL, &group));
    GROUP(MPI_Group_range_incl(all, 1, bad_range, &group));
    GROUP(MPI_Group_range_incl(all, 1, no_step, &group));
    GROUP(MPI_Group_range_excl(all, 1, range, &group));
    GROUP(MPI_Group_range_excl(all, 0, NULL, &group));
    GROUP(MPI_Group_range_excl(all, 1, bad_range, &group));
    GROUP(MPI_Group_union(all, MPI_GROUP_EMPTY, &group));
    GROUP(MPI_Group_union(all, MPI_GROUP_NULL, &group));
    GROUP(MPI_Group_intersection(all, MPI_GROUP_EMPTY, &group));
    GROUP(MPI_Group_intersection(all, all, &group));
    GROUP(MPI_Group_intersection(MPI_GROUP_NULL, all, &group));
    GROUP(MPI_Group_difference(all, all, &group));
    GROUP(MPI_Group_difference(all, MPI_GROUP_EMPTY, &group));
    GROUP(MPI_Group_difference(all, MPI_GROUP_NULL, &group));
    say(" %d", code(MPI_Group_free(&all)));
    say(" %d", code(MPI_Group_free(&all)));
}

static void take_first(void* a, void* b, int* size, MPI_Datatype* type) {
    if (type != NULL) memcpy(b, a, sizeof(int) * (size_t)*size);
}

static void operations(void) {
    MPI_Op op = MPI_OP_NULL, basic = MPI_SUM;
    say(" %d", code(MPI_Op_free(&op)));
    say(" %d", code(MPI_Op_free(&basic)));
    say(" %d", code(MPI_Op_create(take_first, 0, &op)));
    MPI_Allreduce(out, in, 2, MPI_INT, op, WORLD);
    received(2);
    say(" %d", code(MPI_Op_free(&op)));
    say(" %d", op == MPI_OP_NULL);
}

struct section const of_handles[] = {
    {"types", types},   {"refused types", refused_types},       {"contents", contents},
    {"groups", groups}, {"translated ranks", translated_ranks}, {"operations", operations},
    {NULL, NULL}};
