#include "engine/pq/clustering_model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace mneme::engine {
namespace {

constexpr double kFade = 0.98;  // of older measurements with each new one

}  // namespace

void TwoTermFit::add(double x, double y, double seconds) {
  if (!(seconds > 0) || !std::isfinite(seconds) || !(x >= 0) || !(y >= 0)) return;
  // Relative errors count: a short run is worth as much as a long one.
  const double w = 1.0 / (seconds * seconds);
  for (double* sum : {&n_, &xx_, &xy_, &yy_, &xs_, &ys_}) *sum *= kFade;
  n_ += 1;
  xx_ += w * x * x;
  xy_ += w * x * y;
  yy_ += w * y * y;
  xs_ += w * x * seconds;
  ys_ += w * y * seconds;
}

double TwoTermFit::predict(double x, double y) const {
  const double determinant = xx_ * yy_ - xy_ * xy_;
  double a = 0;
  double b = 0;
  if (determinant > 1e-9 * xx_ * yy_) {
    a = (yy_ * xs_ - xy_ * ys_) / determinant;
    b = (xx_ * ys_ - xy_ * xs_) / determinant;
  }
  // Times do not fall with work: where the data say so, or cannot tell the terms apart, one term explains all.
  if (a < 0 || (a == 0 && b == 0 && xx_ == 0)) {
    a = 0;
    b = yy_ > 0 ? ys_ / yy_ : 0;
  }
  if (b < 0 || (a == 0 && b == 0)) {
    b = 0;
    a = xx_ > 0 ? xs_ / xx_ : 0;
  }
  return a * x + b * y;
}

std::string TwoTermFit::to_text() const {
  char text[200];
  std::snprintf(text, sizeof text, "%.17g %.17g %.17g %.17g %.17g %.17g", n_, xx_, xy_, yy_, xs_, ys_);
  return text;
}

Result<TwoTermFit> TwoTermFit::parse(std::string_view text) {
  TwoTermFit fit;
  const std::string line(text);
  const int n =
      std::sscanf(line.c_str(), "%lf %lf %lf %lf %lf %lf", &fit.n_, &fit.xx_, &fit.xy_, &fit.yy_, &fit.xs_, &fit.ys_);
  const bool sane = n == 6 && std::isfinite(fit.n_ + fit.xx_ + fit.xy_ + fit.yy_ + fit.xs_ + fit.ys_) && fit.n_ >= 0 &&
                    fit.xx_ >= 0 && fit.yy_ >= 0;
  if (!sane) return corruption("the stored profile of clustering times is damaged; it will be measured again");
  return fit;
}

void ClusteringModel::add_clustering(double training_keys, double iterations, double coded_keys, double seconds) {
  MutexLock lock(mutex_);
  clustering_.add(training_keys * iterations, coded_keys, seconds);
}

void ClusteringModel::add_layer(double rows, double context, double seconds) {
  MutexLock lock(mutex_);
  layer_.add(rows, rows * (context + rows / 2), seconds);
}

int ClusteringModel::iterations_for(double n_tokens, double training_keys, double share, int otherwise) const {
  MutexLock lock(mutex_);
  if (!clustering_.ready() || !layer_.ready()) return otherwise;
  const double allowed = share * layer_.predict(n_tokens, n_tokens * n_tokens / 2);
  int iterations = kMaxIterations;
  while (iterations > kMinIterations && clustering_.predict(training_keys * iterations, n_tokens) > allowed)
    --iterations;
  return iterations;
}

std::string ClusteringModel::to_text() const {
  MutexLock lock(mutex_);
  return "clustering " + clustering_.to_text() + "\nlayer " + layer_.to_text() + "\n";
}

Status ClusteringModel::restore(std::string_view text) {
  constexpr std::string_view kFirst = "clustering ";
  constexpr std::string_view kSecond = "\nlayer ";
  const size_t second = text.find(kSecond);
  if (!text.starts_with(kFirst) || second == std::string_view::npos)
    return corruption("the stored profile of clustering times is damaged; it will be measured again");
  MNEME_ASSIGN_OR_RETURN(const TwoTermFit clustering,
                         TwoTermFit::parse(text.substr(kFirst.size(), second - kFirst.size())));
  MNEME_ASSIGN_OR_RETURN(const TwoTermFit layer, TwoTermFit::parse(text.substr(second + kSecond.size())));
  MutexLock lock(mutex_);
  clustering_ = clustering;
  layer_ = layer;
  return {};
}

}  // namespace mneme::engine
