#include "cli/repl/line_editor.hpp"

#include <histedit.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cwchar>
#include <filesystem>

#include "base/signals.hpp"
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
    std::size_t columns = 80; // when the line was last drawn

    static Impl& of(EditLine* editor) {
        Impl* impl = nullptr;
        el_get(editor, EL_CLIENTDATA, &impl);
        return *impl;
    }
    static char* prompt_of(EditLine* editor) { return of(editor).shown_prompt.data(); }

    static std::size_t columns_now() {
        struct winsize size {};
        return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    }

    /// Draws the prompt and the line anew, from the row of the cursor on.
    void draw_again() {
        std::fputs("\r\x1b[J", stdout);
        std::fflush(stdout);
        el_set(editor, EL_REFRESH);
    }

    /// The window has another size. Terminals wrap what is on the screen anew, so the row of the cursor is another one.
    void resized() {
        LineInfo const* const line = el_line(editor);
        std::size_t const before = shown_prompt.size() + static_cast<std::size_t>(line->cursor - line->buffer);
        columns = columns_now();
        if (std::size_t const up = before / columns; up > 0) std::printf("\x1b[%zuA", up);
        el_resize(editor);
        draw_again();
    }

    /// Ctrl-Z: gives the terminal back as it was, and stops. When the process goes on, it takes the terminal again.
    void stop() {
        el_set(editor, EL_PREP_TERM, 0);
        std::fputs("\r\n", stdout);
        std::fflush(stdout);
        sigset_t only;
        {
            SignalHandlers standard;
            standard.on(SIGTSTP, {.handler = SIG_DFL});
            ::raise(SIGTSTP);
            ::sigemptyset(&only);
            ::sigaddset(&only, SIGTSTP);
            ::sigprocmask(SIG_UNBLOCK, &only, nullptr); // here it stops
            ::sigprocmask(SIG_BLOCK, &only, nullptr);
        }
        // It goes on even if nobody sends SIGCONT: without a shell above it, it has not stopped.
        ::sigemptyset(&only);
        ::sigaddset(&only, SIGCONT);
        struct timespec const now{};
        ::sigtimedwait(&only, nullptr, &now);
        continued = 1;
    }

    /// After fg. What other programs did to the terminal's modes and to the screen is not known.
    void go_on() {
        el_set(editor, EL_PREP_TERM, 0);
        el_set(editor, EL_PREP_TERM, 1);
        columns = columns_now();
        el_resize(editor);
        draw_again();
    }

    /// What signals asked for since the last call.
    void handle_signals() {
        if (stopped != 0) stop();
        if (continued != 0)
            go_on();
        else if (resize != 0)
            resized();
        stopped = 0;
        continued = 0;
        resize = 0;
    }

    static inline volatile std::sig_atomic_t stopped = 0;
    static inline volatile std::sig_atomic_t continued = 0;
    static inline volatile std::sig_atomic_t resize = 0;
    static void on_signal(int number) { (number == SIGTSTP ? stopped : number == SIGCONT ? continued : resize) = 1; }

    /// A key, or -1 at the end of the input or after Ctrl-C. Signals are only unblocked while this waits for a key, so
    /// that none is lost just before a read that it should end.
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
                if (errno != EINTR) return -1;
                impl.handle_signals();
                continue;
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
        auto const [start, fitting] = impl.completions(before);
        if (fitting.empty()) return CC_ERROR;
        std::string common = fitting.front();
        for (std::string const& word : fitting) {
            std::size_t same = 0;
            while (same < common.size() && same < word.size() && common[same] == word[same]) ++same;
            while (same < common.size() && same > 0 && (static_cast<unsigned char>(common[same]) & 0xC0U) == 0x80U)
                --same;
            common.resize(same);
        }
        // A folder, a bracket or `R2=` goes on.
        bool const is_whole =
            fitting.size() == 1 && std::string_view("(/=").find(common.back()) == std::string_view::npos;
        std::string const more = common.substr(before.size() - start) + (is_whole ? " " : "");
        if (!more.empty()) {
            el_insertstr(editor, more.c_str());
            return CC_REFRESH;
        }
        // Nothing can be added: list what fits.
        std::string list = "\n";
        std::size_t column = 0;
        for (std::string const& word : fitting) {
            if (column + word.size() + 4 > columns_now() && column > 0) {
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

/// As long as this exists, Ctrl-Z, fg and a new size of the window are handled by `handler`, and these and Ctrl-C are
/// blocked.
class Signals {
public:
    Signals(sigset_t& unblocked, void (*handler)(int)) : unblocked_(unblocked) {
        sigset_t blocked;
        ::sigemptyset(&blocked);
        ::sigaddset(&blocked, SIGINT);
        for (int const number : numbers) ::sigaddset(&blocked, number);
        ::sigprocmask(SIG_BLOCK, &blocked, &unblocked_);
        handlers_.emplace();
        for (int const number : numbers) handlers_->on(number, {.handler = handler});
    }
    Signals(Signals const&) = delete;
    Signals& operator=(Signals const&) = delete;
    ~Signals() {
        handlers_.reset(); // before they are unblocked
        ::sigprocmask(SIG_SETMASK, &unblocked_, nullptr);
    }

private:
    static constexpr int numbers[] = {SIGTSTP, SIGCONT, SIGWINCH};
    sigset_t& unblocked_;
    std::optional<SignalHandlers> handlers_;
};

/// $XDG_STATE_HOME/matchpoint/history, or ~/.local/state/matchpoint/history; empty if there is no home.
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

LineEditor::Input LineEditor::read() {
    clear_interrupt();
    impl_->shown_prompt = impl_->prompt();
    int length = 0;
    char const* line = nullptr;
    {
        Signals const signals(impl_->unblocked, &Impl::on_signal);
        Impl::stopped = 0;
        Impl::continued = 0;
        Impl::resize = 0;
        impl_->columns = Impl::columns_now();
        el_resize(impl_->editor);
        line = el_gets(impl_->editor, &length);
    }
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
