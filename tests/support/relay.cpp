// Lets a process that is there already answer in place of a new one: relay SOCKET WORD...
//
// Sends the words and what it reads from standard input to a Unix socket, prints the answer, and exits with the code in
// front of it; an answer with another code than 0 goes to standard error. tests/cli/served.py is the other side. For
// encoders in Python, which are started for every program and would take twenty times as long to start.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>

namespace {

bool write_all(int to, std::string_view text) {
    while (!text.empty()) {
        ssize_t const n = ::write(to, text.data(), text.size());
        if (n <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

std::string read_all(int from) {
    std::string text;
    char chunk[1U << 14U];
    for (ssize_t n = 0; (n = ::read(from, chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<std::size_t>(n));
    return text;
}

} // namespace

int main(int argc, char** argv) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (argc < 2 || std::strlen(argv[1]) >= sizeof address.sun_path) return 2;
    std::strcpy(address.sun_path, argv[1]);
    int const server = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::connect(server, reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0) return 3;

    std::string question = std::to_string(argc - 2) + '\0';
    for (int i = 2; i < argc; ++i) question += std::string(argv[i]) + '\0';
    if (!write_all(server, question + read_all(STDIN_FILENO))) return 3;
    ::shutdown(server, SHUT_WR);
    std::string const answer = read_all(server);
    if (answer.empty()) return 3;
    int const code = static_cast<unsigned char>(answer[0]);
    return write_all(code == 0 ? STDOUT_FILENO : STDERR_FILENO, std::string_view(answer).substr(1)) ? code : 3;
}
