// Figure 1 of "Proving MCAPI Executions are Correct", with threads. Node 0 takes two messages from anybody and believes
// that the first is node 2's.
//
// Truth: the assertion fails if the message of node 1 comes first.
// verify: failure
#include <matchpoint/mcapi.h>

static thread_local mcapi_status_t status;
static mcapi_endpoint_t of(mcapi_node_t node) {
    return mcapi_endpoint_get(0, node, 0, MCAPI_TIMEOUT_INFINITE, &status);
}

static void task0() {
    mcapi_endpoint_t const e0 = mcapi_endpoint_create(0, &status);
    matchpoint::value<int> a, b;
    mcapi_request_t h1, h2;
    mcapi_msg_recv_i(e0, &a, sizeof(int), &h1, &status);
    mcapi_wait(&h1, nullptr, MCAPI_TIMEOUT_INFINITE, &status);
    mcapi_msg_recv_i(e0, &b, sizeof(int), &h2, &status);
    mcapi_wait(&h2, nullptr, MCAPI_TIMEOUT_INFINITE, &status);
    MATCHPOINT_ASSUME(b > 0);
    MATCHPOINT_ASSERT(a == 4);
}

static void task1() {
    mcapi_endpoint_t const e1 = mcapi_endpoint_create(0, &status);
    matchpoint::value<int> c;
    mcapi_msg_recv(e1, &c, sizeof(int), nullptr, &status);
    matchpoint::value<int> const one = 1;
    mcapi_msg_send(e1, of(0), &one, sizeof(int), 0, &status);
}

static void task2() {
    mcapi_endpoint_t const e2 = mcapi_endpoint_create(0, &status);
    matchpoint::value<int> const four = 4, go = 7;
    mcapi_msg_send(e2, of(0), &four, sizeof(int), 0, &status);
    mcapi_msg_send(e2, of(1), &go, sizeof(int), 0, &status);
}

int main() { matchpoint::run(task0, task1, task2); }
