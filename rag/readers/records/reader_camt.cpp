// CAMT.052 and .053 (ISO 20022): statements of accounts as European banks give them since 2014, XML.
#include <pugixml.hpp>
#include <string>
#include <utility>

#include "rag/readers/office/zip_package.h"
#include "rag/readers/records/record_readers.h"
#include "rag/readers/records/statement_table.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

pugi::xml_node at_path(pugi::xml_node node, std::initializer_list<std::string_view> path) {
  for (const std::string_view name : path) node = child_named(node, name);
  return node;
}

std::string text_of(const pugi::xml_node& node) {
  return node.text().get();
}

std::string day_of(const pugi::xml_node& date) {
  std::string day = text_of(child_named(date, "Dt"));
  if (day.empty()) day = text_of(child_named(date, "DtTm"));
  return day.substr(0, 10);
}

std::string amount_of(const pugi::xml_node& holder) {
  const pugi::xml_node amount = child_named(holder, "Amt");
  const bool paid = text_of(child_named(holder, "CdtDbtInd")) == "DBIT";
  return (paid ? "-" : "") + text_of(amount) + " " + std::string(attribute_named(amount, "Ccy"));
}

// The other side: the name stands in it, or since 2019 in a party of it.
std::string name_of(const pugi::xml_node& party) {
  const std::string name = text_of(child_named(party, "Nm"));
  return name.empty() ? text_of(at_path(party, {"Pty", "Nm"})) : name;
}

void append(std::string& all, const std::string& more) {
  if (!more.empty()) all.append(all.empty() ? "" : " ").append(more);
}

Payment payment_of(const pugi::xml_node& entry) {
  Payment payment{.day = day_of(child_named(entry, "BookgDt")), .amount = amount_of(entry)};
  const bool paid = text_of(child_named(entry, "CdtDbtInd")) == "DBIT";
  for (const pugi::xml_node details : child_named(entry, "NtryDtls").children()) {
    if (local_name(details) != "TxDtls") continue;
    append(payment.payee, name_of(at_path(details, {"RltdPties", paid ? "Cdtr" : "Dbtr"})));
    for (const pugi::xml_node line : child_named(details, "RmtInf").children()) {
      if (local_name(line) == "Ustrd") append(payment.purpose, text_of(line));
    }
  }
  if (payment.purpose.empty()) payment.purpose = text_of(child_named(entry, "AddtlNtryInf"));
  return payment;
}

void add_statement(const pugi::xml_node& statement, StatementTable& table) {
  const std::string iban = text_of(at_path(statement, {"Acct", "Id", "IBAN"}));
  const std::string other = text_of(at_path(statement, {"Acct", "Id", "Othr", "Id"}));
  table.begin_account(iban.empty() ? other : iban);
  for (const pugi::xml_node node : statement.children()) {
    if (local_name(node) == "Ntry") table.add(payment_of(node));
  }
  for (const pugi::xml_node node : statement.children()) {
    const bool closing = local_name(node) == "Bal" && text_of(at_path(node, {"Tp", "CdOrPrtry", "Cd"})) == "CLBD";
    if (closing) table.add_balance(day_of(child_named(node, "Dt")), amount_of(node));
  }
}

}  // namespace

bool looks_like_camt(std::string_view beginning) {
  const std::string_view head = beginning.substr(0, 1024);
  return head.find("urn:iso:std:iso:20022:tech:xsd:camt.05") != head.npos;
}

Status read_camt(ReadContext& context, Input input) {
  pugi::xml_document tree;
  const auto parsed = tree.load_buffer(input.bytes.data(), input.bytes.size());
  if (!parsed) return corruption(printable(input.name) + " is damaged: it is not XML (" + parsed.description() + ").");
  StatementTable table(context.limits().text_bytes);
  for (const pugi::xml_node message : tree.document_element().children()) {
    for (const pugi::xml_node node : message.children()) {
      MNEME_RETURN_IF_ERROR(context.check(input.name));
      if (local_name(node) == "Stmt" || local_name(node) == "Rpt") add_statement(node, table);
    }
  }
  if (table.empty()) return unsupported(printable(input.name) + " is a statement without payments.");
  return context.emit(input.name, table.take());
}

}  // namespace mneme::readers
