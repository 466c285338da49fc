const dayMs = 24 * 3_600_000

/** Days before the end of a token on which its owner is notified, the last one first. */
export const noticeDays = [0, 3, 14] as const

/** When an account that was verified now is verified again: in a day, or where its owner is to be notified of the end of its token. */
export function nextVerification(now: number, expiresAt: string | null): number {
  const end = expiresAt === null ? Number.NaN : Date.parse(expiresAt)
  const steps = noticeDays.map((days) => end - days * dayMs).filter((at) => at > now)
  return Math.min(now + dayMs, ...steps)
}
