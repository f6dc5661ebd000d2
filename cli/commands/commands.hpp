// Each command declares itself to the command line. Its file has the same name: add_run is in run.cpp.
#pragma once

namespace matchpoint::cli {

class CommandLine;

void add_run(CommandLine& line);
void add_step(CommandLine& line);
void add_smt(CommandLine& line);
void add_check(CommandLine& line);
void add_explore(CommandLine& line);
void add_pairs(CommandLine& line);
void add_encode(CommandLine& line);
void add_draw(CommandLine& line);
void add_oracle(CommandLine& line);
void add_dap(CommandLine& line);
void add_validate(CommandLine& line);
void add_suite(CommandLine& line);
void add_gen(CommandLine& line);
void add_import(CommandLine& line);
void add_mcapi(CommandLine& line);
void add_mpi(CommandLine& line);
void add_threads(CommandLine& line);
void add_rma(CommandLine& line);
void add_lint(CommandLine& line);
void add_fmt(CommandLine& line);
void add_slice(CommandLine& line);
void add_language(CommandLine& line);
void add_version(CommandLine& line);

} // namespace matchpoint::cli
