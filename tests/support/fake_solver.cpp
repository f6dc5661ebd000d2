// A solver that solves nothing, and misbehaves in a chosen way: fake_solver MODE [STATE_FILE].
//
// With a state file it misbehaves in its first life only: it is good if the file exists, and creates it otherwise. Some
// modes write process ids into it.
//
//     fake_solver model FILE          sat, always, with the text of the file as its model
//     fake_solver second-model FILE   the first problem is unsat, all others are as in `model`
//     fake_solver as-told             each problem says with (set-info :fake MODE) how to answer it, and with
//                                     (set-info :value N) the value of x in its model
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

void say(std::string_view text) { std::cout << text << std::flush; }

[[noreturn]] void hang() {
    while (true) ::pause();
}

/// The next command, without blanks around it.
std::optional<std::string> next_command() {
    std::string command;
    int depth = 0;
    char quote = '\0';
    char c = '\0';
    while (std::cin.get(c)) {
        if (command.empty() && c != '(') continue;
        command += c;
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '|') {
            quote = c;
        } else if (c == '(') {
            ++depth;
        } else if (c == ')' && --depth == 0) {
            return command;
        }
    }
    return {};
}

void echo(std::string const& command) {
    std::size_t const begin = command.find('"') + 1;
    say(command.substr(begin, command.rfind('"') - begin) + "\n");
}

std::string value_of_x = "7";

/// What a command of another kind than (check-sat) is answered.
void answer(std::string const& command) {
    if (command == "(get-model)") say("(\n  (define-fun x () Int " + value_of_x + ")\n)\n");
    if (command == "(get-unsat-core)") say("(|a b| c)\n");
    if (command == "(get-info :reason-unknown)") say("(:reason-unknown \"(no idea)\")\n");
    if (command.starts_with("(echo ")) echo(command);
}

[[noreturn]] void be_good() {
    while (auto const command = next_command()) {
        if (*command == "(check-sat)") say("sat\n");
        answer(*command);
    }
    std::exit(0);
}

void append(char const* file, long number) { std::ofstream(file, std::ios::app) << number << std::endl; }

void flood(std::string_view line) {
    while (true) say(line);
}

[[noreturn]] void answer_with_model(char const* file, bool first_is_unsat) {
    std::stringstream model;
    model << std::ifstream(file).rdbuf();
    while (auto const command = next_command()) {
        if (*command == "(check-sat)")
            say(std::exchange(first_is_unsat, false) ? "unsat\n" : "sat\n");
        else if (*command == "(get-model)")
            say(model.str());
        else
            answer(*command);
    }
    std::exit(0);
}

/// What some modes do before they read, or as soon as a problem tells them.
void misbehave(std::string_view mode) {
    if (mode == "exit-0") std::exit(0);
    if (mode == "exit-3") std::exit(3);
    if (mode == "crash-before-reading") ::raise(SIGSEGV);
    if (mode == "hang" || mode == "read-nothing") hang();
    if (mode == "hang-ignoring-signals") {
        for (int s = 1; s < 32; ++s) ::signal(s, SIG_IGN);
        hang();
    }
    if (mode == "flood-lines") flood("one line and another line\n");
    if (mode == "flood-no-newline") flood("no newline ever ");
    if (mode == "flood-stderr")
        while (true) std::cerr << "complaints " << std::flush;
    if (mode == "stderr-only") {
        std::cerr << "license \x1b[31mexpired\n";
        std::exit(2);
    }
    if (mode == "close-output") {
        ::close(STDOUT_FILENO);
        hang();
    }
    if (mode == "close-input") {
        ::close(STDIN_FILENO);
        hang();
    }
    if (mode == "error-only") {
        say("(error \"no such logic\")\n");
        std::exit(0);
    }
}

/// The value of (set-info KEY value); none if the command is another one.
std::optional<std::string> told(std::string const& command, std::string const& key) {
    std::string const beginning = "(set-info " + key + ' ';
    if (!command.starts_with(beginning)) return {};
    return command.substr(beginning.size(), command.size() - beginning.size() - 1);
}

} // namespace

int main(int argc, char** argv) {
    std::string mode = argc > 1 ? argv[1] : "good";
    char const* const state = argc > 2 ? argv[2] : nullptr;
    if (state != nullptr && (mode == "model" || mode == "second-model"))
        answer_with_model(state, mode == "second-model");
    if (state != nullptr && mode != "hang-with-pid") {
        if (::access(state, F_OK) == 0) be_good();
        append(state, ::getpid());
    }

    // Before it reads.
    if (mode == "good") be_good();
    misbehave(mode);
    if (mode == "hang-with-pid") {
        append(state, ::getpid());
        hang();
    }
    if (mode == "gigabyte") {
        std::string const megabyte(std::size_t{1} << 20U, 'x');
        for (int i = 0; i < 1024; ++i) say(megabyte);
        be_good();
    }
    if (mode == "print-before-reading") {
        for (int i = 0; i < 100'000; ++i) say("a line that nobody asked for\n");
        be_good();
    }
    if (mode == "complain-before-reading") {
        for (int i = 0; i < 100'000; ++i) std::cerr << "a complaint that nobody asked for\n";
        be_good();
    }
    if (mode == "allocate") {
        std::vector<std::string> all;
        while (true) all.emplace_back(std::size_t{1} << 20U, 'x');
    }
    if (mode == "grandchild" || mode == "grandchild-escapes") {
        if (pid_t const grandchild = ::fork(); grandchild == 0) {
            if (mode == "grandchild-escapes") ::setsid();
            ::alarm(5); // nobody else ends it
            hang();
        } else {
            append(state, grandchild);
        }
        return 5;
    }

    // While it reads.
    bool const is_told = mode == "as-told";
    int checks = 0;
    bool sat = false;
    while (auto const command = next_command()) {
        if (mode == "crash-after-reading" && *command == "(check-sat)") ::abort();
        if (mode == "die-on-reset" && *command == "(reset)") return 9;
        if (mode == "error-on-reset" && *command == "(reset)") say("(error \"cannot reset\")\n");
        if (is_told && (*command == "(reset)" || *command == "(pop 1)")) mode = "good";
        if (auto const how = is_told ? told(*command, ":fake") : std::nullopt) misbehave(mode = *how);
        if (auto const value = told(*command, ":value")) value_of_x = *value;
        if (*command == "(check-sat)") {
            ++checks;
            if (mode == "error-before") say("(error \"first\")\n");
            if (mode == "hang-in-answer" || mode == "half-line") say("sa");
            if (mode == "hang-in-answer") hang();
            if (mode == "garbage") say(std::string_view("\x00\xff\xfe\x1b[2J\"|((\r\n\x80", 14));
            if (mode == "maybe") say("maybe\n");
            if (mode == "unsupported") say("unsupported\nsat\n");
            bool const is_about_cores = mode.ends_with("-core");
            if (mode == "unsat" || is_about_cores) say("unsat\n");
            if (mode == "unknown") say("unknown\n");
            if (mode == "success") say("success\nsat\n");
            if (mode == "crlf") say("sat\r\n");
            if (mode == "error-on-stderr") std::cerr << "(error \"quietly\")\n";
            static constexpr std::string_view without_sat[] = {
                "half-line", "garbage", "maybe", "unsupported", "unsat", "unknown", "only-echoes", "crlf", "success"};
            bool says_sat = !is_about_cores;
            for (auto const m : without_sat) says_sat = says_sat && mode != m;
            if (says_sat) say("sat\n");
            sat = true;
            if (mode == "error-after") say("(error \"second\")\n");
            if (mode == "crash-after-sat") ::raise(SIGBUS);
            if (mode == "exit-after-sat") return 0;
            continue;
        }
        if (command->starts_with("(echo ")) {
            if (mode == "never-echo") continue;
            if (mode == "error-around-echo") {
                say("(error \"what is " + *command + "?\")\n");
                continue;
            }
            if (mode == "no-newline-after-echo") {
                say(command->substr(7, command->size() - 9));
                hang();
            }
            echo(*command);
            if (mode == "die-idle") return 0;
            if (mode == "close-output-idle") {
                ::close(STDOUT_FILENO);
                hang();
            }
            if (mode == "talk-idle") say("by the way\n");
            continue;
        }
        if (sat && *command == "(get-model)") {
            if (mode == "bad-model")
                say("(define-fun x () Int\n");
            else if (mode == "wrong-model")
                say("((define-fun y () Bool |(error (|))\n");
            else if (mode == "error-model")
                say("(\n  (error \"no model\"))\n");
            else if (mode == "no-model")
                say("unsupported\n");
            else if (mode == "crash-in-model")
                say("(\n  (define-fun x () Int "), ::raise(SIGSEGV);
            else if (mode == "hang-in-model")
                hang();
            else if (mode == "long-model")
                say("(\n  (define-fun x () Int " + std::string(10'000'000, '7') + "))\n");
            else
                answer(*command);
            continue;
        }
        if (*command == "(get-unsat-core)") {
            if (mode == "bad-core")
                say("((a) b)\n");
            else if (mode == "error-core")
                say("(error \"no core\")\n");
            else if (mode == "hang-in-core")
                hang();
            else
                answer(*command);
            continue;
        }
        answer(*command);
    }
    return 0;
}
