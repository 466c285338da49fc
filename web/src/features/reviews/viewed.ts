import { useCallback, useState } from 'react'
import type { Told } from '../comparison/changes.ts'
import type { VersionRef } from '../catalog/versions.ts'

/** So many reviews are remembered; the one looked at longest ago is forgotten first. */
const mostReviews = 100
const name = 'svc viewed changes'

type Remembered = Readonly<Record<string, readonly string[]>>

const read = (): Remembered => {
  try {
    return (JSON.parse(localStorage.getItem(name) ?? '{}') ?? {}) as Remembered
  } catch {
    return {}
  }
}

const write = (review: string, ticks: readonly string[]): void => {
  const { [review]: _, ...others } = read()
  const all = Object.entries({ ...others, ...(ticks.length > 0 ? { [review]: ticks } : {}) }).slice(-mostReviews)
  try {
    localStorage.setItem(name, JSON.stringify(Object.fromEntries(all)))
  } catch {
    // The page keeps what it has in memory.
  }
}

const hashOf = (text: string): string => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash.toString(36)
}

/** What a tick is of: a change as it is now. One that says something else is another one. */
export const tickOf = ({ change, all }: Told): string =>
  `${change.fingerprint} ${hashOf(JSON.stringify([change.message, change.before, change.after, all.map((it) => it.fingerprint)]))}`

/** The changes of a version that a person has viewed, kept in this browser. */
export const useViewed = ({ tenant, project, version }: VersionRef, person: string) => {
  const review = [person, tenant, project, version].join(' ')
  const [ticks, setTicks] = useState<ReadonlySet<string>>(() => new Set(read()[review]))
  const toggle = useCallback(
    (told: Told): void =>
      setTicks((before) => {
        const tick = tickOf(told)
        const after = new Set(before)
        if (!after.delete(tick)) after.add(tick)
        write(review, [...after])
        return after
      }),
    [review],
  )
  return { isViewed: (told: Told): boolean => ticks.has(tickOf(told)), toggle }
}
