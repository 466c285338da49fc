// Loads compiled folders with Coraza and the OWASP Core Rule Set, and says what becomes of requests.
//
// One JSON value a line on standard input: {"load": DIR} loads DIR/svc.conf, {"directives": "..."} loads a text, {"request": {...}} sends
// a request to what was loaded last.
// One JSON value a line on standard output: {"milliseconds": N} or {"error": "..."}, and {"status": N, "ids": [...], "tags": [...]}.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	crs "github.com/corazawaf/coraza-coreruleset/v4"
	"github.com/corazawaf/coraza/v3"
	"github.com/corazawaf/coraza/v3/types"
	"github.com/jcchavezs/mergefs"
	"github.com/jcchavezs/mergefs/io"
)

type request struct {
	IP       string      `json:"ip"`
	Method   string      `json:"method"`
	URI      string      `json:"uri"`
	Protocol string      `json:"protocol"`
	Headers  [][2]string `json:"headers"`
	// In base64, so that any bytes can be sent.
	Body string `json:"body"`
}

type order struct {
	Load       string   `json:"load"`
	Directives string   `json:"directives"`
	Request    *request `json:"request"`
}

type answer struct {
	Error        string   `json:"error,omitempty"`
	Milliseconds int64    `json:"milliseconds,omitempty"`
	Status       int      `json:"status"`
	IDs          []int    `json:"ids"`
	Tags         []string `json:"tags"`
}

func load(it order) (coraza.WAF, error) {
	config := coraza.NewWAFConfig().WithRootFS(mergefs.Merge(crs.FS, io.OSFS))
	if it.Directives != "" {
		return coraza.NewWAF(config.WithDirectives(it.Directives))
	}
	whole, err := filepath.Abs(it.Load)
	if err != nil {
		return nil, err
	}
	return coraza.NewWAF(config.WithDirectivesFromFile(filepath.Join(whole, "svc.conf")))
}

func send(waf coraza.WAF, it *request) answer {
	tx := waf.NewTransaction()
	// The audit log is written where the configuration names a file for it.
	defer func() {
		tx.ProcessLogging()
		tx.Close()
	}()
	tx.ProcessConnection(it.IP, 40000, "10.0.0.1", 80)
	tx.ProcessURI(it.URI, it.Method, it.Protocol)
	for _, header := range it.Headers {
		tx.AddRequestHeader(header[0], header[1])
		if strings.EqualFold(header[0], "host") {
			tx.SetServerName(header[1])
		}
	}
	interruption := tx.ProcessRequestHeaders()
	if interruption == nil {
		body, err := base64.StdEncoding.DecodeString(it.Body)
		if err != nil {
			return answer{Error: err.Error()}
		}
		if len(body) > 0 {
			interruption, _, err = tx.WriteRequestBody(body)
			if err != nil {
				return answer{Error: err.Error()}
			}
		}
	}
	if interruption == nil {
		var err error
		if interruption, err = tx.ProcessRequestBody(); err != nil {
			return answer{Error: err.Error()}
		}
	}
	return described(interruption, tx.MatchedRules())
}

func described(interruption *types.Interruption, matched []types.MatchedRule) answer {
	found := answer{IDs: []int{}, Tags: []string{}}
	if interruption != nil {
		found.Status = interruption.Status
	}
	for _, it := range matched {
		found.IDs = append(found.IDs, it.Rule().ID())
		for _, tag := range it.Rule().Tags() {
			if strings.HasPrefix(tag, "svc/") {
				found.Tags = append(found.Tags, tag)
			}
		}
	}
	return found
}

func main() {
	var waf coraza.WAF
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 64<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var it order
		if err := json.Unmarshal(lines.Bytes(), &it); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		var reply answer
		if it.Request == nil {
			start := time.Now()
			next, err := load(it)
			waf = next
			reply.Milliseconds = time.Since(start).Milliseconds()
			if err != nil {
				reply.Error = err.Error()
			}
		} else if waf == nil {
			reply.Error = "nothing is loaded"
		} else {
			reply = send(waf, it.Request)
		}
		if err := out.Encode(reply); err != nil {
			os.Exit(2)
		}
	}
}
