package acceptance_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

var requestRules = []rule{
	{"body-same", "", "the body is the request that came in, byte for byte, and the report is empty", bodySame},
	{"body-has", "TEXT…", "each text stands, as it is, in the JSON of the body", bodyHas},
	{"body-lacks", "TEXT…", "none of the texts stands in the JSON of the body", bodyLacks},
	{"body-count", "N TEXT", "the text stands N times in the JSON of the body", bodyCount},
}

func bodySame(o *outcome, _ []string) error {
	switch {
	case !bytes.Equal(o.wire().json, o.input):
		return fmt.Errorf("the body is %.500s", o.wire().json)
	case !o.report.Empty():
		return fmt.Errorf("there are changes under %v", reported(o))
	}
	return nil
}

func bodyHas(o *outcome, args []string) error {
	var errs []error
	for _, text := range args {
		if !bytes.Contains(o.wire().json, []byte(text)) {
			errs = append(errs, fmt.Errorf("the body lacks %s", text))
		}
	}
	return errors.Join(errs...)
}

func bodyLacks(o *outcome, args []string) error {
	var errs []error
	for _, text := range args {
		if bytes.Contains(o.wire().json, []byte(text)) {
			errs = append(errs, fmt.Errorf("the body has %s", text))
		}
	}
	return errors.Join(errs...)
}

func bodyCount(o *outcome, args []string) error {
	want, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	if n := bytes.Count(o.wire().json, []byte(args[1])); n != want {
		return fmt.Errorf("the body has it %d times", n)
	}
	return nil
}
