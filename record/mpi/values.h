// The second layer of the recorder: what messages carry.
#pragma once

#include "output.h"

// ---- handles.c ------------------------------------------------------------------------------------------------------

enum object { a_communicator, a_group, a_type, an_operation, a_window };
#define HANDLE(handle) ((uintptr_t)(handle))
/// Whether a handle of the program stands for something, so that the library can be asked about it. Null ones do not.
bool is_type(MPI_Datatype type);
bool is_communicator(MPI_Comm comm);
bool is_group(MPI_Group group);
/// Whether the program has freed what a handle was for, and nothing new has got it since.
bool was_freed(enum object kind, uintptr_t handle);
/// What a handle was for is freed.
void handle_is_gone(enum object kind, uintptr_t handle);
/// Something is made, perhaps with the handle of what was freed.
void handle_is_there(enum object kind, uintptr_t handle);

// ---- values.c -------------------------------------------------------------------------------------------------------

/// The number that stands for the contents of a buffer: its first element if that is an integer, otherwise, and of
/// several bytes (MPI_BYTE), a hash of all of it that has 32 bits. 0 for an empty one.
int64_t value_of(void const* buffer, int count, MPI_Datatype type);
/// The size in bytes of what the library packs; negative if it takes no such elements.
int packed_size(int count, MPI_Datatype type);
/// Whether the type is an integer type, or MPI_LOGICAL; then the size of one in bytes, negative if it is signed.
int integer_size(MPI_Datatype type);
/// The basic type that all elements of a type have, and how many of them one element has. MPI_DATATYPE_NULL if they
/// have several, or none.
MPI_Datatype basic_type(MPI_Datatype type, int* elements);
/// "MPI_SUM"; "user" of an operation that the program has made; null of none.
char const* name_of_reduction(MPI_Op op);
/// The name of an operation in files. Null if the language has no such operation on integers.
char const* name_of_operation(MPI_Op op);
// ---- types.c --------------------------------------------------------------------------------------------------------

/// The number of a type in the file; of each that is new it says there what elements it has.
unsigned number_of_type(MPI_Datatype type);
/// The size of a basic type whose elements lie side by side. 0 if it is not known to be one.
int dense_size(MPI_Datatype type);
// ---- expressions.c --------------------------------------------------------------------------------------------------

/// Adds a field: the name of the expression that the program has computed for the buffer (matchpoint/mpi.h); `=4` if
/// that is a constant; or its value, which may depend on anything.
void add_value(void const* buffer, int count, MPI_Datatype type);
/// The same of one element, as text.
void print_value(char* text, size_t size, void const* buffer, MPI_Datatype type);
/// The buffer has now what a request received, or something that has no expression.
void received_into(void const* buffer, unsigned request);
void overwritten(void const* buffer);
/// Where a get or a remote atomic was called whose result may not have come yet; 0: none.
extern unsigned get_is_pending_at;
/// How many windows of this rank others may write, from MPI_Win_post to MPI_Win_wait.
extern unsigned posted_windows;
