// Names that paths give to documents: searched like headings, changed with the path, and gone with the document.
#include <gmock/gmock.h>

#include "catalogue_bed.h"

namespace mneme::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CatalogueNamesTest : public CatalogueTest {
 protected:
  DocumentId put_named(const std::string& path, const std::string& names, const std::vector<std::string>& texts) {
    NewDocument document = make_document(collection_, path, texts);
    document.record.names = names;
    const auto id = catalogue_->put_document(document);
    EXPECT_TRUE(id.ok()) << id.status().message();
    return id.ok() ? *id : DocumentId{};
  }
};

TEST_F(CatalogueNamesTest, AreSearched) {
  const DocumentId id = put_named("/p/acme/1.txt", "Invoices > ACME", {"due in March", "total of 480"});
  put_named("/p/brightwater/1.txt", "Invoices > Brightwater", {"due in April"});
  EXPECT_EQ(catalogue_->document(id)->names, "Invoices > ACME");
  EXPECT_THAT(found("acme total"), ElementsAre("total of 480", "due in March"));
  EXPECT_THAT(found("brightwater"), ElementsAre("due in April"));
  expect_clean();
}

TEST_F(CatalogueNamesTest, ChangeWhenTheFileMoves) {
  const DocumentId id = put_named("/p/1.txt", "inbox", {"due in March"});
  ASSERT_TRUE(catalogue_->move_document(id, "/p/acme/1.txt", "ACME", {}).ok());
  EXPECT_THAT(found("acme"), ElementsAre("due in March"));
  EXPECT_THAT(found("inbox"), IsEmpty());
  expect_clean();
}

TEST_F(CatalogueNamesTest, AreReplacedWithTheDocumentAndGoWithIt) {
  const DocumentId id = put_named("/p/1.txt", "kitchen", {"a kettle"});
  put_named("/p/1.txt", "cellar", {"a barrel"});
  EXPECT_THAT(found("cellar"), ElementsAre("a barrel"));
  EXPECT_THAT(found("kitchen"), IsEmpty());
  ASSERT_TRUE(catalogue_->remove_document(id).ok());
  EXPECT_THAT(found("cellar"), IsEmpty());
  expect_clean();
}

TEST_F(CatalogueNamesTest, OfAnOlderCatalogueAreGivenLater) {
  const DocumentId unnamed = put("/p/acme/1.txt", {"due in March"});
  put_named("/p/2.txt", "p", {"due in April"});
  const auto missing = catalogue_->unnamed_documents(collection_);
  ASSERT_TRUE(missing.ok());
  ASSERT_EQ(missing->size(), 1u);
  EXPECT_EQ(missing->front().id, unnamed);
  EXPECT_EQ(missing->front().path, "/p/acme/1.txt");
  const DocumentNames names[] = {{unnamed, "ACME"}, {DocumentId{99}, "gone"}};
  ASSERT_TRUE(catalogue_->name_documents(collection_, names).ok());
  EXPECT_THAT(found("acme"), ElementsAre("due in March"));
  EXPECT_TRUE(catalogue_->unnamed_documents(collection_)->empty());
  expect_clean();
}

}  // namespace
}  // namespace mneme::storage
