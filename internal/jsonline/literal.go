package jsonline

// scanLiteral reads a number, true, false or null.
func scanLiteral(src []byte, i int) (int, Kind, error) {
	switch src[i] {
	case 't':
		return scanWord(src, i, "true", True)
	case 'f':
		return scanWord(src, i, "false", False)
	case 'n':
		return scanWord(src, i, "null", Null)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return scanNumber(src, i)
	}
	return i, Invalid, &SyntaxError{Offset: i, Reason: "expected a value"}
}

func scanWord(src []byte, i int, word string, kind Kind) (int, Kind, error) {
	for j := range len(word) {
		if i+j >= len(src) {
			return i, Invalid, &SyntaxError{Offset: i + j, Reason: "unexpected end", Truncated: true}
		}
		if src[i+j] != word[j] {
			return i, Invalid, &SyntaxError{Offset: i + j, Reason: "expected " + word}
		}
	}
	return i + len(word), kind, nil
}

func scanNumber(src []byte, i int) (int, Kind, error) {
	j := i
	if src[j] == '-' {
		j++
	}
	var err error
	if j < len(src) && src[j] == '0' {
		j++
	} else if j, err = digits(src, j); err != nil {
		return i, Invalid, err
	}
	if j < len(src) && src[j] == '.' {
		if j, err = digits(src, j+1); err != nil {
			return i, Invalid, err
		}
	}
	if j < len(src) && (src[j] == 'e' || src[j] == 'E') {
		j++
		if j < len(src) && (src[j] == '+' || src[j] == '-') {
			j++
		}
		if j, err = digits(src, j); err != nil {
			return i, Invalid, err
		}
	}
	return j, Number, nil
}

// digits reads one or more digits.
func digits(src []byte, i int) (int, error) {
	j := i
	for j < len(src) && '0' <= src[j] && src[j] <= '9' {
		j++
	}
	if j == i {
		return i, &SyntaxError{Offset: i, Reason: "expected a digit", Truncated: i >= len(src)}
	}
	return j, nil
}
