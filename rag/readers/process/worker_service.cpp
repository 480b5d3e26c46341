// The life of a reader's process: what serve_worker() of reader_worker.h does. It has been given a socket and nothing
// else; what it reads of a file it asks for.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <string>
#include <utility>

#include "base/guarded.h"
#include "rag/readers/process/reader_worker.h"
#include "rag/readers/process/sandbox.h"
#include "rag/readers/process/worker_wire.h"

namespace mneme::readers {
namespace {

// With read() and write(): sockets' own calls are denied in the sandbox.
class ProgramSocket {
 public:
  explicit ProgramSocket(int descriptor) : descriptor_(descriptor) {}

  // Once false, the program is gone.
  bool is_connected() const { return connected_; }

  bool send(FrameType type, std::string_view content) {
    const FrameHeader header{type, 0, content.size()};
    connected_ = connected_ && write_all(header_bytes(header)) && write_all(content);
    return connected_;
  }
  bool receive(FrameHeader& header) { return receive(reinterpret_cast<char*>(&header), sizeof header); }
  bool receive(char* out, size_t size) {
    while (connected_ && size > 0) {
      const ssize_t got = ::read(descriptor_, out, size);
      if (got < 0 && errno == EINTR) continue;
      connected_ = got > 0;
      if (!connected_) break;
      out += got;
      size -= static_cast<size_t>(got);
    }
    return connected_;
  }

 private:
  bool write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
  }

  const int descriptor_;
  bool connected_ = true;
};

// The file of a request: its beginning is here, the rest comes from the program.
class RequestedSource final : public ByteSource {
 public:
  RequestedSource(ProgramSocket& program, const WorkerRequest& request)
      : program_(program), size_(request.size_bytes), beginning_(request.beginning) {}

  uint64_t size() const override { return size_; }
  Result<size_t> read(uint64_t offset, std::span<char> out) override {
    const uint64_t left = offset < size_ ? size_ - offset : 0;
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(out.size(), left));
    size_t done = offset < beginning_.size() ? beginning_.copy(out.data(), wanted, static_cast<size_t>(offset)) : 0;
    while (done < wanted) {
      const size_t n = std::min(kMostPieceBytes, wanted - done);
      const bool asked = program_.send(FrameType::kWant, encode_want({.offset = offset + done, .n_bytes = n}));
      FrameHeader header;
      const bool answered = asked && program_.receive(header) && header.type == FrameType::kPiece &&
                            header.length == n && program_.receive(out.data() + done, n);
      if (!answered) return cancelled();  // nobody is there any more
      done += n;
    }
    return wanted;
  }

 private:
  ProgramSocket& program_;
  const uint64_t size_;
  const std::string_view beginning_;
};

Status answer(ProgramSocket& program, const WorkerRequest& request, const ReadFrom& read) {
  RequestedSource source(program, request);
  const MemberWalk walk{.passed_over = request.passed_over, .begins = [&](uint64_t number, const std::string& label) {
                          const std::string member = encode_member({.number = number, .label = label});
                          return program.send(FrameType::kMember, member) ? Status() : cancelled();
                        }};
  const DocumentSink sink = [&](const ReadItem& item) {
    return program.send(FrameType::kItem, encode_item(item)) ? Status() : cancelled();
  };
  return read(request.name, source, request.limits, sink, &walk);
}

// False when the program is gone.
bool answer_one(ProgramSocket& program, const ReadFrom& read) {
  FrameHeader header;
  if (!program.receive(header)) return false;
  if (header.type != FrameType::kRequest || header.length > kMostFrameBytes) return false;
  const Status status = guarded("reading a file", [&]() -> Status {
    std::string content(header.length, '\0');
    if (!program.receive(content.data(), content.size())) return cancelled();
    MNEME_ASSIGN_OR_RETURN(const WorkerRequest request, decode_request(content));
    std::string().swap(content);
    return answer(program, request, read);
  });
  return program.is_connected() && program.send(FrameType::kDone, encode_status(status));
}

}  // namespace

int serve_worker(int descriptor, const ReadFrom& read) {
  (void)enter_sandbox();  // where the kernel has none, the program has said so
  ProgramSocket program(descriptor);
  while (answer_one(program, read)) {
  }
  return 0;
}

}  // namespace mneme::readers
