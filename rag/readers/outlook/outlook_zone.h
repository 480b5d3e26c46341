// The time zone that an appointment was made in: Outlook keeps times in UTC and the rules beside them (MS-OXOCAL,
// 2.2.1.39 and 2.2.1.41). Internal to rag/readers. Threads: immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mneme::readers {

class OutlookZone {
 public:
  // Of PidLidTimeZoneStruct, or of a definition (PidLidAppointmentTimeZoneDefinitionStartDisplay), which has a name;
  // nothing of what is neither.
  static std::optional<OutlookZone> of_struct(std::string_view bytes);
  static std::optional<OutlookZone> of_definition(std::string_view bytes);

  const std::string& name() const { return name_; }
  // What a clock there shows, as seconds reckoned without a zone, of seconds since 1970 in UTC.
  int64_t wall(int64_t utc) const;

 private:
  // The hour at which clocks are changed, every year: "the last Sunday of March, 2:00".
  struct Change {
    unsigned month = 0;  // 0: never
    unsigned day_of_week = 0;
    unsigned which = 0;  // of the month; 5: the last
    int64_t seconds = 0;

    static Change at(std::string_view bytes, size_t place);
    int64_t in_year(int year) const;
  };

  std::string name_;
  int64_t bias_ = 0;  // seconds that UTC is ahead of standard time
  int64_t standard_bias_ = 0;
  int64_t daylight_bias_ = 0;
  Change to_standard_;
  Change to_daylight_;
};

}  // namespace mneme::readers
