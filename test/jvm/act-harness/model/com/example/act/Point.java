package com.example.act;

import java.util.List;
import java.util.Optional;

public record Point(int x, int y, List<Long> history, Optional<String> note) {}
