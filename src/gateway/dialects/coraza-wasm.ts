/** The WebAssembly build of Coraza. It reads no files: its configuration is a list of directives in that of the proxy. */
import { defineDialect } from './dialect.ts'

/** Directives, each with the lines that it continues on. */
function directives(text: string): string[] {
  const found: string[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    // Links of a chain follow their starter as directives of their own; a line that ends with a backslash continues.
    if (found.at(-1)?.endsWith('\\') === true) found.push((found.pop() ?? '').slice(0, -1) + line.trim())
    else found.push(line.trim())
  }
  return found
}

export const corazaWasm = defineDialect({
  name: 'coraza-wasm',
  title: 'Coraza (WASM)',
  programs: 'Envoy, Traefik',
  comparesBytes: false,
  namesAnyMember: true,
  passesMarkers: false,
  limitsBodiesWithoutFiles: false,
  ruleSet: { folder: '@owasp_crs', version: 4 },
  seesEmptyBodies: true,
  noSchemas: 'Coraza as WebAssembly cannot check a schema: its operator matches every body.',
  doubt:
    'The WebAssembly build of the engine fails some of the own cases of the rule set; this configuration was tested with the native build.',
  rateLimit: () => ({ files: [], use: 'Use the rate limit of the proxy.' }),
  /** The plugin configuration for Envoy, Istio or APISIX. */
  moreFiles(parts, ruleSet) {
    const lines = [...parts.slice(0, -1), ruleSet, parts.at(-1) ?? ''].flatMap(directives)
    const configuration = { directives_map: { svc: lines }, default_directives: 'svc' }
    return [{ path: 'proxy/wasm-plugin.json', text: `${JSON.stringify(configuration, null, 1)}\n` }]
  },
  nextStep: (folder) => `Put ${folder}/proxy/wasm-plugin.json into the configuration of the plugin.`,
  notAsked: 'The WebAssembly build is checked by the proxy that loads it.',
})
