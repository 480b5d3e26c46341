namespace mneme::ui {}
