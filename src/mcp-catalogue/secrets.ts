/** What is a secret in configurations, by its name or by its form. Rather one too many than one stored. */

const words =
  /(?:^|[^a-z])(?:api[^a-z]?key|apikey|key|token|secret|password|passwd|pwd|pass|passphrase|credentials?|auth|authorization|bearer|pat|jwt|cookie|session|sig|signature|private[^a-z]?key|access[^a-z]?key|connection[^a-z]?string|dsn)(?:s?$|s?[^a-z])/

/**
 * Whether a name is that of a secret: "API_KEY", "--token", "X-Api-Key", "githubToken".
 * @param name of a variable, a header, an option or a query parameter
 */
export const secretName = (name: string): boolean =>
  words.test(name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase())

const issued =
  /^(?:gh[opsur]_|github_pat_|glpat-|sk-|sk_|pk_live_|rk_live_|xox[abeoprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|eyJ[\w-]+\.|npm_|hf_|pypi-|dop_v1_|sv[kamgst]_|shpat_|lin_api_|ntn_|secret_|tvly-|fc-|ctx7sk)/

/** Random texts of 24 characters have about 20 different ones; words and paths have fewer. */
const leastDifferent = 16

/** Whether a value looks like one that a machine issued: a known prefix, or long and random. Placeholders do not. */
export function looksSecret(value: string): boolean {
  if (/\$?\{[^{}]+\}|^<[^<>]+>$/.test(value)) return false
  if (/^(?:bearer|basic|token)\s+\S/i.test(value)) return true
  if (issued.test(value) && value.length >= 16) return true
  if (!/^[\w+/=.~-]{24,4096}$/.test(value)) return false
  if (/^[0-9a-f]{32,}$/i.test(value)) return true
  const isMixed = /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)
  return isMixed && !/[/.]/.test(value) && new Set(value).size >= leastDifferent
}

/** Whether a value names something to be filled in instead of being a secret itself: `${TOKEN}`, `{token}`, `<token>`, empty. */
export const isPlaceholder = (value: string): boolean =>
  value.trim() === '' || /^(?:bearer\s+|basic\s+|token\s+)?(?:\$?\{[^{}]*\}|<[^<>]*>|\$[A-Z_]+)$/i.test(value.trim())
