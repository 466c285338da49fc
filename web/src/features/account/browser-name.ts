// The first that matches: browsers also carry the names of those that they descend from.
const browsers = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
] as const
const systems = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const first = (known: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  known.find(([pattern]) => pattern.test(text))?.[1]

/**
 * A browser as its user would say it: "Firefox on Linux".
 * @param agent the header User-Agent
 * @returns the beginning of the header where nothing in it is known
 */
export const browserName = (agent: string): string => {
  const browser = first(browsers, agent)
  const system = first(systems, agent)
  if (browser === undefined) return agent.trim() === '' ? 'Unknown browser' : agent.slice(0, 60)
  return system === undefined ? browser : `${browser} on ${system}`
}
