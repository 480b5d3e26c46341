#include "app/commands/catalogue_recovery.h"

#include <string>
#include <string_view>
#include <vector>

#include "app/home_files.h"
#include "base/human_text.h"
#include "storage/salvage/catalogue_repair.h"

namespace mneme::app {
namespace {

constexpr int kBusyTimeoutMs = 2000;

storage::FileEnv& files_of(Context& context) {
  return context.home_files != nullptr ? *context.home_files : storage::FileEnv::posix();
}

// "chats, documents and settings"
std::string listed(const std::vector<std::string_view>& things) {
  std::string list;
  for (size_t i = 0; i < things.size(); ++i) {
    if (i > 0) list += i + 1 == things.size() ? " and " : ", ";
    list += things[i];
  }
  return list;
}

// "3 of 1,200 pages cannot be read (chats and settings)"
std::string damage_text(const storage::CatalogueDamage& damage) {
  std::string text = damage.damaged_pages > 0 ? std::to_string(damage.damaged_pages) + " of " +
                                                    human_number_of(damage.pages, "page") + " cannot be read"
                                              : "what its pages say does not go together";
  if (!damage.parts.empty()) text += " (" + listed(damage.parts) + ")";
  return text;
}

std::string kept_text(const storage::RepairedCatalogue& repaired) {
  return human_number_of(repaired.collections, "collection") + ", " + human_number_of(repaired.folders, "folder") +
         ", " + human_number_of(repaired.documents, "document") + " and " + human_number_of(repaired.chats, "chat") +
         " with " + human_number_of(repaired.messages, "message") + " were kept";
}

// Begins with its separator; empty where nothing is known to be lost.
std::string lost_text(const storage::RepairedCatalogue& repaired) {
  std::string text;
  if (repaired.documents_to_read_again > 0) {
    text +=
        "; " + human_number_of(repaired.documents_to_read_again, "document") + " will be read again by `mneme index`";
  }
  if (repaired.lost_messages > 0) {
    text += "; " + human_number_of(repaired.lost_messages, "message") + " of chats are lost";
  }
  if (!repaired.incomplete.empty()) text += "; more may be missing of " + listed(repaired.incomplete);
  if (repaired.log_was_lost) text += "; what was written last could not be read";
  return text;
}

}  // namespace

Result<storage::CatalogueProblem> describe_catalogue_damage(Context& context, const Status& failure) {
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  const Result<storage::CatalogueDamage> damage = storage::look_at_damage(files_of(context), home, kBusyTimeoutMs);
  if (!damage.ok() || (damage->damaged_pages == 0 && damage->parts.empty())) return failure;
  return storage::CatalogueProblem{
      .kind = "database",
      .path = home.catalogue(),
      .detail =
          "is damaged: " + damage_text(*damage) +
          "; `mneme verify --repair` puts a new catalogue with all the rest in its place and keeps this one beside "
          "it",
      .repaired = false};
}

Result<storage::CatalogueProblem> recover_catalogue(Context& context) {
  MNEME_ASSIGN_OR_RETURN(const storage::Home home, home_of(context));
  MNEME_ASSIGN_OR_RETURN(const storage::RepairedCatalogue repaired,
                         storage::repair_catalogue(files_of(context), home, kBusyTimeoutMs, context.cancel));
  return storage::CatalogueProblem{
      .kind = "database",
      .path = home.catalogue(),
      .detail = "was damaged: " + damage_text(repaired.damage) + "; " + kept_text(repaired) + lost_text(repaired) +
                "; the damaged one is kept as " + repaired.kept_as + " until you remove it",
      .repaired = true};
}

}  // namespace mneme::app
