// The durable queue. A job is pending until it is finished (its row goes) or has failed for good (its row stays, to be
// seen). A lease keeps two workers, in whatever process, from doing the same job; a dead worker's lease runs out.
#include "base/wall_clock.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"

namespace mneme::storage {
namespace {

std::string done_counter(std::string_view kind) {
  return "jobs.done." + std::string(kind);
}

// A kind that starts from empty counts its finished jobs from zero again.
Status reset_done_if_empty(Database& database, const std::string& kind) {
  MNEME_ASSIGN_OR_RETURN(Statement pending, database.prepare("SELECT 1 FROM jobs WHERE kind=?1 AND failed=0 LIMIT 1"));
  MNEME_ASSIGN_OR_RETURN(const bool any, pending.bind(kind).step());
  if (any) return {};
  MNEME_ASSIGN_OR_RETURN(Statement reset, database.prepare("DELETE FROM counters WHERE name=?1"));
  return reset.bind(done_counter(kind)).run();
}

Status gone() {
  return not_found("the job is gone; it was finished or cancelled");
}

}  // namespace

Status Catalogue::enqueue_jobs(std::span<const JobRecord> jobs, std::optional<int64_t> times_forgotten) {
  if (jobs.empty()) return {};
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    std::string kind;
    MNEME_ASSIGN_OR_RETURN(
        Statement insert,
        database.prepare("INSERT INTO jobs(kind, key, payload_json, priority) VALUES(?1, ?2, ?3, ?4) "
                         "ON CONFLICT(kind, key) DO UPDATE SET failed=0, attempts=0, error='', lease_until_ms=0, "
                         "payload_json=excluded.payload_json WHERE failed=1"));
    for (const JobRecord& job : jobs) {
      if (job.kind != kind) {
        kind = job.kind;
        MNEME_RETURN_IF_ERROR(reset_done_if_empty(database, kind));
      }
      MNEME_RETURN_IF_ERROR(insert.bind(job.kind, job.key, job.payload_json, job.priority).run());
    }
    if (!times_forgotten) return {};
    MNEME_ASSIGN_OR_RETURN(const int64_t now, times_forgotten_in(database));
    // Forgotten while the job waited in a program's memory.
    return now == *times_forgotten ? Status() : remove_jobs_without_text(database);
  });
}

Result<std::optional<JobRecord>> Catalogue::claim_job(std::string_view kind, int64_t lease_ms) {
  std::optional<JobRecord> claimed;
  MNEME_RETURN_IF_ERROR(write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    // A lease further in the future than any lease can be was made before the clock was set back.
    MNEME_ASSIGN_OR_RETURN(
        Statement statement,
        database.prepare(
            "UPDATE jobs SET lease_until_ms=?2+?3, attempts=attempts+1 WHERE id=(SELECT id FROM jobs WHERE kind=?1 AND "
            "failed=0 AND (lease_until_ms<=?2 OR lease_until_ms>?2+86400000) ORDER BY priority DESC, id LIMIT 1) "
            "RETURNING id, kind, key, payload_json, priority, attempts, error"));
    MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(kind, now_ms(), lease_ms).step());
    if (!found) return {};
    claimed = JobRecord{statement.id<JobId>(0),
                        statement.string(1),
                        statement.string(2),
                        statement.string(3),
                        static_cast<int>(statement.integer(4)),
                        static_cast<int>(statement.integer(5)),
                        statement.string(6)};
    return statement.run();
  }));
  return claimed;
}

Status Catalogue::finish_job(JobId job) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    std::string kind;
    {
      MNEME_ASSIGN_OR_RETURN(Statement remove, database.prepare("DELETE FROM jobs WHERE id=?1 RETURNING kind"));
      MNEME_ASSIGN_OR_RETURN(const bool found, remove.bind(job).step());
      if (!found) return gone();
      kind = remove.string(0);
      MNEME_RETURN_IF_ERROR(remove.run());
    }
    MNEME_ASSIGN_OR_RETURN(Statement count, database.prepare("INSERT INTO counters(name, value) VALUES(?1, 1) "
                                                             "ON CONFLICT(name) DO UPDATE SET value=value+1"));
    return count.bind(done_counter(kind)).run();
  });
}

Status Catalogue::fail_job(JobId job, std::string_view error, bool retry) {
  return write_transaction(*state_, Durability::kDerived, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement,
                           database.prepare("UPDATE jobs SET error=?2, failed=?3, lease_until_ms=0 WHERE id=?1"));
    MNEME_RETURN_IF_ERROR(statement.bind(job, error, !retry).run());
    return database.changes() > 0 ? Status() : gone();
  });
}

Result<std::vector<JobCounts>> Catalogue::job_counts() {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database->prepare("SELECT kind, sum(pending), sum(failed), coalesce((SELECT value FROM counters WHERE name="
                        "'jobs.done.'||kind), 0) FROM (SELECT kind, failed=0 AS pending, failed FROM jobs UNION ALL "
                        "SELECT substr(name, 11), 0, 0 FROM counters WHERE name LIKE 'jobs.done.%') "
                        "GROUP BY kind ORDER BY kind"));
  std::vector<JobCounts> counts;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return counts;
    counts.push_back({statement.string(0), statement.integer(1), statement.integer(3), statement.integer(2)});
  }
}

}  // namespace mneme::storage
