// Where the repetitions of short records begin.
#include "repetition.h"

uint8_t no_record[sizeof(uint64_t)];

void count_repetitions(void) {
    struct repetition* const p = &self.repetition;
    if (self.at != p->end || !is_to_count() || self.at + room_of_number > self.limit) return;
    struct counted const none = {(uint32_t)(self.at - p->source), 0};
    uint8_t* const again = self.at;
    memset(again, 0, size_of_again + 1);
    memcpy(again + 1, &none, sizeof none);
    __asm__ volatile("" ::: "memory");
    *again = matchpoint_again;
    self.at = p->end = again + size_of_again;
    p->again = again;
}
