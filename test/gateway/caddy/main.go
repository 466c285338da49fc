// Caddy with Coraza for the checks of svc: the directive coraza_waf in the words of the module coraza-caddy, over the same engine and the
// engine's own handler for net/http. It is a stand-in where that module cannot be had, and not meant for traffic.
package main

import (
	"fmt"
	"net/http"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	crs "github.com/corazawaf/coraza-coreruleset/v4"
	"github.com/corazawaf/coraza/v3"
	corazahttp "github.com/corazawaf/coraza/v3/http"
	"github.com/corazawaf/coraza/v3/types"
	"github.com/jcchavezs/mergefs"
	"github.com/jcchavezs/mergefs/io"
	"go.uber.org/zap"
)

type waf struct {
	Directives string `json:"directives"`
	RuleSet    bool   `json:"load_owasp_crs"`
	engine     coraza.WAF
}

func (waf) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.waf", New: func() caddy.Module { return new(waf) }}
}

func (it *waf) Provision(context caddy.Context) error {
	log := context.Logger()
	files := mergefs.Merge(io.OSFS)
	if it.RuleSet {
		files = mergefs.Merge(crs.FS, io.OSFS)
	}
	config := coraza.NewWAFConfig().WithRootFS(files).WithDirectives(it.Directives).WithErrorCallback(func(rule types.MatchedRule) {
		log.Error(rule.ErrorLog(), zap.Int("rule", rule.Rule().ID()))
	})
	var err error
	it.engine, err = coraza.NewWAF(config)
	return err
}

func (it *waf) ServeHTTP(answer http.ResponseWriter, request *http.Request, next caddyhttp.Handler) error {
	var err error
	inner := http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) { err = next.ServeHTTP(answer, request) })
	corazahttp.WrapHandler(it.engine, inner).ServeHTTP(answer, request)
	return err
}

func (it *waf) UnmarshalCaddyfile(tokens *caddyfile.Dispenser) error {
	tokens.Next()
	for nesting := tokens.Nesting(); tokens.NextBlock(nesting); {
		switch tokens.Val() {
		case "load_owasp_crs":
			it.RuleSet = true
		case "directives":
			if !tokens.NextArg() {
				return tokens.ArgErr()
			}
			it.Directives = tokens.Val()
		default:
			return fmt.Errorf("coraza_waf has no %q", tokens.Val())
		}
	}
	return nil
}

func main() {
	caddy.RegisterModule(waf{})
	httpcaddyfile.RegisterHandlerDirective("coraza_waf", func(helper httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
		it := new(waf)
		return it, it.UnmarshalCaddyfile(helper.Dispenser)
	})
	caddycmd.Main()
}
