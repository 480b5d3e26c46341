#include "rag/answering/brief/brief_fit.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(BriefFit, WhatIsNoNewsCountsLittle) {
  EXPECT_EQ(brief_fit("Who instructed Eric Holder?", "the president"), 1.0);
  EXPECT_LT(brief_fit("Who instructed Eric Holder?", "Eric Holder"), 0.5);
  EXPECT_EQ(brief_fit("Is it on Monday or on Tuesday?", "Tuesday"), 1.0) << "one of two";
}

TEST(BriefFit, ADayANumberOrHowLongIsOne) {
  EXPECT_EQ(brief_fit("When was it built?", "in 1873"), 1.0);
  EXPECT_EQ(brief_fit("When are the bins emptied?", "Thursday"), 1.0);
  EXPECT_LT(brief_fit("When was it built?", "the old pier"), 1.0);
  EXPECT_EQ(brief_fit("How many piers are there?", "three"), 1.0);
  EXPECT_LT(brief_fit("How many piers are there?", "wooden"), 1.0);
  EXPECT_EQ(brief_fit("How long does it take?", "half an hour"), 1.0);
  EXPECT_EQ(brief_fit("Who built it?", "Ada Quill"), 1.0);
}

TEST(BriefFit, WhoIsAskedForIsNotTheThingItIsAskedOf) {
  EXPECT_LT(brief_fit("Who owns the ferry?", "The ferry Halcyon"), 0.5);
  EXPECT_EQ(brief_fit("Who owns the ferry?", "Ada Quill"), 1.0);
  EXPECT_EQ(brief_fit("Who owns the ferry, Quill or Voss?", "Quill"), 1.0) << "one of two";
  EXPECT_EQ(brief_fit("What is the ferry called?", "The ferry Halcyon"), 1.0);
}

TEST(BriefFit, WhoIsAskedForIsNoDay) {
  EXPECT_FALSE(fits_kind("Who writes the release notes?", "Friday"));
  EXPECT_FALSE(fits_kind("Who writes the release notes?", "5 May 2031"));
  EXPECT_TRUE(fits_kind("Who writes the release notes?", "April Quill"));
}

TEST(BriefFit, ATelephoneNumberHasDigits) {
  EXPECT_FALSE(fits_kind("What is the phone number of my adviser?", "Mr Tobias Kern"));
  EXPECT_TRUE(fits_kind("What is the phone number of my adviser?", "069 555 0123"));
}

}  // namespace
}  // namespace mneme::rag
