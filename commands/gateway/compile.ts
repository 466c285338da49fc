import { Type } from '@sinclair/typebox'
import { command } from '../../cli/declare.ts'
import { compilePolicy, engineChoices } from '../../cli/gateway/compile/compile.ts'
import { Manifest } from '../../cli/gateway/compile/manifest.ts'

export default command({
  summary: 'Compile a gateway policy, and the checks of a document, to the configuration of an engine',
  description:
    'Writes a folder of SecLang files that Coraza or ModSecurity loads with the OWASP Core Rule Set, and says what of the policy the engine enforces, what it does in another way, and what it cannot do and why. It needs no service: the policy comes from a file (YAML or JSON), or is the usual one (tier standard, and what the document allows). With --environment the policy, and the published version that it is bound to, come from the workspace or the service. "caddy" is Coraza with a Caddyfile, "nginx" is ModSecurity. A folder with an earlier release is replaced. The same input gives the same files. Where the engine is installed, it is asked whether it loads them; if it refuses, the exit code is 6.',
  examples: [
    'svc gateway compile --engine caddy --output waf openapi.yaml',
    'svc gateway compile --engine nginx --policy policy.yaml --output /etc/svc/waf openapi.yaml',
    'svc gateway compile --engine coraza --environment production --output waf',
    'svc gateway compile --engine coraza-wasm --policy policy.yaml --output waf --json',
  ],
  arguments: [
    {
      name: 'document',
      required: false,
      summary:
        'OpenAPI document that requests are validated against (a file, an API of svc.yaml, a URL, PROJECT@VERSION)',
      namesApis: true,
    },
  ],
  options: {
    engine: {
      type: 'string',
      placeholder: 'ENGINE',
      choices: engineChoices,
      required: true,
      summary: 'coraza, caddy, coraza-wasm (Envoy, Traefik), modsecurity or nginx',
    },
    output: {
      type: 'string',
      short: 'o',
      former: 'out',
      placeholder: 'DIR',
      required: true,
      summary: 'folder for the files',
    },
    policy: {
      type: 'string',
      placeholder: 'FILE',
      summary: 'policy file; the guide on compiling gateway policies describes it',
    },
    environment: { type: 'string', placeholder: 'ID', summary: 'compile the policy of this environment instead' },
    'installed-at': {
      type: 'string',
      placeholder: 'DIR',
      summary: 'absolute path of the files on the gateway (default: the folder of --output)',
    },
    check: {
      type: 'boolean',
      default: null,
      summary: 'ask the engine whether it loads the files, where it is installed (default)',
    },
    crs: {
      type: 'string',
      placeholder: 'DIR',
      summary:
        'folder of the rule set as the engine names it (default: @owasp_crs of Coraza, /usr/share/modsecurity-crs/rules of Debian)',
    },
  },
  dataSchema: Type.Composite([Type.Object({ out: Type.String() }), Manifest]),
  isBounded: true,
  run: (invocation) => compilePolicy(invocation),
})
