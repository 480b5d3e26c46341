// The files of tests/data/documents, read from disk as a user's would be.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/checkout/checkout.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

rag::Document read(const std::string& name) {
  rag::Document document;
  const Status status = read_file(checkout::test_data("documents/") + name, {}, [&](ReadItem item) {
    document = std::move(item.document);
    return item.status;
  });
  EXPECT_TRUE(status.ok()) << status.message();
  test::expect_well_formed(document, false);
  return document;
}

TEST(Fixtures, AreReadFromDisk) {
  EXPECT_EQ(read("bicycle.md").title, "Bicycle care");
  EXPECT_EQ(read("cities.csv").blocks.size(), 4u);
  EXPECT_EQ(read("meeting.eml").title, "Münster meeting");
  EXPECT_NE(read("latin1.txt").text.find("großen Körbe"), std::string::npos);
  EXPECT_NE(read("shift_jis.txt").text.find("吾輩は猫である"), std::string::npos);
}

}  // namespace
}  // namespace mneme::readers
