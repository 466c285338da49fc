// Answers what Coraza does with requests under the rules of a folder that svc compiled.
//
// Requests are lines of JSON on standard input, verdicts lines of JSON on standard output; the first line of the output says how long
// the configuration took to load and what it holds in memory. It is run where Go is, never by the tests of the CI.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	crs "github.com/corazawaf/coraza-coreruleset/v4"
	"github.com/corazawaf/coraza/v3"
	"github.com/jcchavezs/mergefs"
)

type request struct {
	ID       string      `json:"id"`
	Method   string      `json:"method"`
	URI      string      `json:"uri"`
	Protocol string      `json:"protocol"`
	Headers  [][2]string `json:"headers"`
	Body     string      `json:"body"`
	IP       string      `json:"ip"`
}

type match struct {
	ID      int      `json:"id"`
	Tags    []string `json:"tags"`
	Message string   `json:"message"`
}

type verdict struct {
	ID string `json:"id"`
	// The status of the refusal; 0 for a request that passes.
	Status int     `json:"status"`
	Rules  []match `json:"rules"`
	// The median of the time that one request took, in microseconds.
	Micros float64 `json:"micros"`
}

type loaded struct {
	LoadMillis float64 `json:"loadMillis"`
	// What the configuration holds, beyond what the process held before.
	HeapMiB float64 `json:"heapMiB"`
}

// Nothing but what the positive rules ask for: no rule of the engine's own refuses in their place.
const before = `SecRuleEngine On
SecAuditEngine Off
SecRequestBodyAccess On
SecResponseBodyAccess Off
`

const withCRS = `Include @coraza.conf-recommended
SecRuleEngine On
SecAuditEngine Off
Include @crs-setup.conf.example
SecAction "id:10900,phase:1,pass,nolog,setvar:'tx.allowed_methods=GET HEAD POST OPTIONS PUT PATCH DELETE TRACE QUERY'"
`

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// The directives of a folder: what svc wrote as the entry, or its positive rules alone.
func directives(folder string, useCRS bool, positive bool) string {
	if _, err := os.Stat(filepath.Join(folder, "svc.conf")); err == nil {
		return "Include svc.conf\n"
	}
	text := before
	if useCRS {
		text += withCRS
	}
	if positive {
		rules, err := os.ReadFile(filepath.Join(folder, "40-positive.conf"))
		if err != nil {
			fail(err)
		}
		text += string(rules)
	}
	if useCRS {
		text += "Include @owasp_crs/*.conf\n"
	}
	return text
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func run(waf coraza.WAF, r request) verdict {
	tx := waf.NewTransaction()
	defer tx.Close()
	ip, protocol := r.IP, r.Protocol
	if ip == "" {
		ip = "192.0.2.1"
	}
	if protocol == "" {
		protocol = "HTTP/1.1"
	}
	tx.ProcessConnection(ip, 4711, "192.0.2.80", 80)
	tx.ProcessURI(r.URI, r.Method, protocol)
	for _, header := range r.Headers {
		tx.AddRequestHeader(header[0], header[1])
	}
	it := tx.ProcessRequestHeaders()
	if it == nil {
		if r.Body != "" {
			it, _, _ = tx.WriteRequestBody([]byte(r.Body))
		}
		if it == nil {
			var err error
			if it, err = tx.ProcessRequestBody(); err != nil {
				fail(err)
			}
		}
	}
	answer := verdict{ID: r.ID, Rules: []match{}}
	for _, found := range tx.MatchedRules() {
		if found.Message() != "" {
			answer.Rules = append(answer.Rules, match{found.Rule().ID(), found.Rule().Tags(), found.Message()})
		}
	}
	if it != nil {
		answer.Status = it.Status
	}
	return answer
}

func main() {
	folder := flag.String("folder", ".", "the folder that svc compiled")
	useCRS := flag.Bool("crs", false, "load the OWASP Core Rule Set too, where the folder has no svc.conf")
	positive := flag.Bool("positive", true, "load the positive rules")
	repeat := flag.Int("repeat", 1, "how often each request is sent")
	flag.Parse()

	files := mergefs.Merge(crs.FS, os.DirFS(*folder))
	text := directives(*folder, *useCRS, *positive)
	held := heap()
	start := time.Now()
	waf, err := coraza.NewWAF(coraza.NewWAFConfig().WithRootFS(files).WithDirectives(text))
	if err != nil {
		fail(err)
	}
	took := time.Since(start)
	text = ""
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	answer := json.NewEncoder(out)
	answer.Encode(loaded{float64(took.Microseconds()) / 1000, float64(int64(heap())-int64(held)) / (1 << 20)})

	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 64<<20)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			fail(err)
		}
		var found verdict
		times := make([]float64, *repeat)
		for i := range times {
			begin := time.Now()
			found = run(waf, r)
			times[i] = float64(time.Since(begin).Nanoseconds()) / 1000
		}
		slices.Sort(times)
		found.Micros = times[len(times)/2]
		answer.Encode(found)
	}
	runtime.KeepAlive(waf)
}
