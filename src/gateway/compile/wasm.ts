/** The WebAssembly build reads no files: its configuration is a list of directives in that of the proxy. */
import type { ReleaseFile } from './model.ts'

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

/**
 * The plugin configuration for Envoy, Istio or APISIX.
 * @param parts the files in their order; the last follows the rule set
 */
export function wasmConfiguration(parts: readonly string[], ruleSet: string): ReleaseFile {
  const lines = [...parts.slice(0, -1), ruleSet, parts.at(-1) ?? ''].flatMap(directives)
  const configuration = { directives_map: { svc: lines }, default_directives: 'svc' }
  return { path: 'proxy/wasm-plugin.json', text: `${JSON.stringify(configuration, null, 1)}\n` }
}
