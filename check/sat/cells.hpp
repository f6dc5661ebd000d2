// What receives get, as numbers to reason about: the message itself, and the fields of a packed one (fields.hpp).
//
// A cell is a receive and what it gets as one of them. The cells of one table, an endpoint with one field, have
// different messages, so what is inferred of receives at an endpoint is inferred of them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "check/sat/fields.hpp"

namespace matchpoint::check {

class Cells {
public:
    /// The data flow has to outlive it. The first cells are those of whole messages: cell r is that of receive r, and
    /// its table the number of its endpoint. `with_fields`: there are also cells for fields.
    Cells(DataFlow const& flow, bool with_fields);

    std::size_t count() const { return receive_.size(); }
    std::uint32_t receive(std::uint32_t cell) const { return receive_[cell]; }
    std::uint32_t table(std::uint32_t cell) const { return table_[cell]; }

    std::size_t tables() const { return tables_.size(); }
    Endpoint beta(std::uint32_t table) const { return tables_[table].beta; }
    /// The cells of a table, receive by receive in the order of their ordinals.
    std::vector<std::uint32_t> const& of_table(std::uint32_t table) const { return tables_[table].cells; }
    /// The tables of an endpoint.
    std::vector<std::uint32_t> const& at(Endpoint beta) const { return at_[beta.index]; }

    /// The cell of a resolved node; none if it is not a variable or a field.
    std::optional<std::uint32_t> of(std::uint32_t node) const;
    /// What a send to its endpoint puts into a table in every run, booleans as 0 and 1. None if that is not known, or
    /// not a small integer.
    std::optional<std::int64_t> constant(std::uint32_t table, std::uint32_t send) const;

private:
    struct Table {
        Endpoint beta;
        std::optional<std::uint32_t> level;
        std::vector<std::uint32_t> cells;
    };
    void add_table(Endpoint beta, std::optional<std::uint32_t> level);

    DataFlow const& flow_;
    std::optional<Fields> fields_;
    std::vector<std::uint32_t> receive_;
    std::vector<std::uint32_t> table_;
    std::vector<Table> tables_;
    std::vector<std::vector<std::uint32_t>> at_;
};

} // namespace matchpoint::check
