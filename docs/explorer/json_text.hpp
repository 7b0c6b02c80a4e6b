// JSON, written piece by piece: just enough for the answers of the explorer's bindings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sectile::explorer {

/// Text in quotes, with what JSON wants escaped.
inline std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (code < ' ') {
      constexpr const char* digits = "0123456789abcdef";
      result += std::string("\\u00") + digits[code >> 4] + digits[code & 15];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// An object or array in the making. Members are separated as they come.
class json {
 public:
  json& open(char bracket) {
    separate();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }

  json& close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }

  json& key(std::string_view name) {
    separate();
    text_ += quoted(name) + ":";
    fresh_ = true;
    return *this;
  }

  json& value(std::int64_t number) { return raw(std::to_string(number)); }
  json& value(int number) { return raw(std::to_string(number)); }
  json& value(bool truth) { return raw(truth ? "true" : "false"); }
  json& value(const char* text) { return raw(quoted(text)); }
  json& value(const std::string& text) { return raw(quoted(text)); }

  template <class T>
  json& member(std::string_view name, const T& of) {
    return key(name).value(of);
  }

  const std::string& text() const { return text_; }

 private:
  json& raw(const std::string& text) {
    separate();
    text_ += text;
    return *this;
  }

  void separate() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }

  std::string text_;
  bool fresh_ = true;
};

}  // namespace sectile::explorer
