const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** What a duration looks like, for messages. */
export const durationExample = 'a duration such as 500ms, 30s, 5m, 2h or 1d'

/** Milliseconds of 500ms, 30s, 1.5m, 2h, 1d or a bare number of seconds; null for anything else. */
export const parseDuration = (text: string): number | null => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim())
  if (!match) return null
  const ms = Math.round(Number(match[1]) * (units[match[2] ?? 's'] ?? 1000))
  return Number.isSafeInteger(ms) ? ms : null
}

/** A duration in milliseconds in the largest unit that is exact, as it would be given: 1500 is "1500ms", 120000 "2m". */
export const formatDuration = (ms: number): string => {
  const unit = (['d', 'h', 'm', 's'] as const).find((it) => ms > 0 && ms % (units[it] ?? 1) === 0) ?? 'ms'
  return `${ms / (units[unit] ?? 1)}${unit}`
}
