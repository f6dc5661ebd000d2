#include "cli/repl/line_editor.hpp"

#include <histedit.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <filesystem>

#include "cli/repl/aside.hpp"

namespace matchpoint::cli {

struct LineEditor::Impl {
    EditLine* editor = nullptr;
    ::History* history = nullptr;
    HistEvent event{};
    std::string history_file;
    std::function<std::string()> prompt;
    std::string shown_prompt;
    sigset_t unblocked{};
    Completions completions;

    static Impl& of(EditLine* editor) {
        Impl* impl = nullptr;
        el_get(editor, EL_CLIENTDATA, &impl);
        return *impl;
    }
    static char* prompt_of(EditLine* editor) { return of(editor).shown_prompt.data(); }

    /// A key, or -1 at the end of the input or after Ctrl-C. SIGINT is only unblocked while this waits for a key, so that
    /// none is lost just before a read that it should end.
    static int get_character(EditLine* editor, wchar_t* c) {
        Impl& impl = of(editor);
        std::mbstate_t shift{};
        while (true) {
            struct pollfd input {
                STDIN_FILENO, POLLIN, 0
            };
            int const ready = ::ppoll(&input, 1, nullptr, &impl.unblocked);
            if (interrupted()) return -1;
            if (ready < 0) {
                if (errno == EINTR) continue; // another signal: the window changed its size
                return -1;
            }
            char byte = 0;
            if (::read(STDIN_FILENO, &byte, 1) != 1) return 0;
            std::size_t const length = std::mbrtowc(c, &byte, 1, &shift);
            if (length == static_cast<std::size_t>(-1)) {
                // Not UTF-8: take the byte alone.
                *c = static_cast<unsigned char>(byte);
                return 1;
            }
            if (length != static_cast<std::size_t>(-2)) return 1;
        }
    }

    static unsigned char complete(EditLine* editor, int) {
        Impl const& impl = of(editor);
        LineInfo const* const line = el_line(editor);
        std::string const before(line->buffer, line->cursor);
        std::vector<std::string> const fitting = impl.completions(before);
        if (fitting.empty()) return CC_ERROR;
        std::string const prefix = before.substr(before.find_last_of(" \t(,=") + 1);
        std::string common = fitting.front();
        for (std::string const& word : fitting) {
            std::size_t same = 0;
            while (same < common.size() && same < word.size() && common[same] == word[same]) ++same;
            common.resize(same);
        }
        std::string const more =
            common.substr(prefix.size()) + (fitting.size() == 1 && fitting.front().back() != '(' ? " " : "");
        if (!more.empty()) {
            el_insertstr(editor, more.c_str());
            return CC_REFRESH;
        }
        // Nothing can be added: list what fits.
        std::string list = "\n";
        std::size_t column = 0;
        for (std::string const& word : fitting) {
            if (column + word.size() + 2 > 78 && column > 0) {
                list += '\n';
                column = 0;
            }
            list += word + "  ";
            column += word.size() + 2;
        }
        list += '\n';
        std::fputs(list.c_str(), stdout);
        std::fflush(stdout);
        return CC_REDISPLAY;
    }
};

namespace {

/// $XDG_STATE_HOME/matchpoint/history, or ~/.local/state/matchpoint/history; empty: there is no home.
std::string file_for_history() {
    std::filesystem::path folder;
    if (char const* const state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/')
        folder = state;
    else if (char const* const home = std::getenv("HOME"); home != nullptr && *home == '/')
        folder = std::filesystem::path(home) / ".local/state";
    else
        return {};
    std::error_code failed;
    std::filesystem::create_directories(folder / "matchpoint", failed);
    return failed ? std::string() : (folder / "matchpoint/history").string();
}

} // namespace

LineEditor::LineEditor(std::function<std::string()> prompt, Completions completions) : impl_(std::make_unique<Impl>()) {
    impl_->prompt = std::move(prompt);
    impl_->completions = std::move(completions);
    impl_->editor = el_init("matchpoint", stdin, stdout, stderr);
    impl_->history = history_init();
    ::history(impl_->history, &impl_->event, H_SETSIZE, 1000);
    ::history(impl_->history, &impl_->event, H_SETUNIQUE, 1);
    impl_->history_file = file_for_history();
    if (!impl_->history_file.empty()) ::history(impl_->history, &impl_->event, H_LOAD, impl_->history_file.c_str());
    el_set(impl_->editor, EL_CLIENTDATA, impl_.get());
    el_set(impl_->editor, EL_PROMPT, &Impl::prompt_of);
    el_set(impl_->editor, EL_EDITOR, "emacs");
    el_set(impl_->editor, EL_HIST, ::history, impl_->history);
    el_set(impl_->editor, EL_ADDFN, "matchpoint-complete", "Complete a word", &Impl::complete);
    el_set(impl_->editor, EL_BIND, "^I", "matchpoint-complete", nullptr);
    el_set(impl_->editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(impl_->editor, nullptr);
    el_set(impl_->editor, EL_GETCFN, &Impl::get_character);
}

LineEditor::~LineEditor() {
    if (!impl_->history_file.empty()) ::history(impl_->history, &impl_->event, H_SAVE, impl_->history_file.c_str());
    history_end(impl_->history);
    el_end(impl_->editor);
}

unsigned LineEditor::columns() const {
    struct winsize size {};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

LineEditor::Input LineEditor::read() {
    clear_interrupt();
    sigset_t interrupt;
    ::sigemptyset(&interrupt);
    ::sigaddset(&interrupt, SIGINT);
    ::sigprocmask(SIG_BLOCK, &interrupt, &impl_->unblocked);
    impl_->shown_prompt = impl_->prompt();
    el_resize(impl_->editor);
    int length = 0;
    char const* const line = el_gets(impl_->editor, &length);
    ::sigprocmask(SIG_SETMASK, &impl_->unblocked, nullptr);
    if (line == nullptr || length <= 0) {
        if (!interrupted()) return EndOfInput{};
        el_reset(impl_->editor);
        return Interrupted{};
    }
    std::string text(line, static_cast<std::size_t>(length));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (text.find_first_not_of(" \t") != std::string::npos)
        ::history(impl_->history, &impl_->event, H_ENTER, text.c_str());
    return text;
}

} // namespace matchpoint::cli
