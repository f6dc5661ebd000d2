// What a command changes for a while and puts back, whatever ends it.
#pragma once

#include "cli/repl/repl.hpp"

namespace matchpoint::cli {

/// Every rule is narrated as long as one of these exists.
class Repl::FullDetail {
public:
    explicit FullDetail(Narrator& narrator) : narrator_(narrator), before_(narrator.detail()) {
        narrator_.set(Narrator::Detail::full);
    }
    FullDetail(FullDetail const&) = delete;
    FullDetail& operator=(FullDetail const&) = delete;
    ~FullDetail() { narrator_.set(before_); }

private:
    Narrator& narrator_;
    Narrator::Detail before_;
};

/// A look at another place of the run. At its end the session is where it was.
class Repl::Excursion {
public:
    explicit Excursion(Stepper& stepper) : stepper_(stepper), here_(stepper.bookmark()) {}
    Excursion(Excursion const&) = delete;
    Excursion& operator=(Excursion const&) = delete;
    ~Excursion() {
        try {
            stepper_.restore(here_);
        } catch (std::exception const&) {
            // The same steps ran before. Should the memory not suffice for them now, the session is where they ended.
        }
    }

private:
    Stepper& stepper_;
    Stepper::Bookmark here_;
};

} // namespace matchpoint::cli
