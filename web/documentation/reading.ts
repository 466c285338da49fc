import { createContext, use } from 'react'
import type { Parts } from './parts.ts'
import type { PagePlace } from './place.ts'

/** What the server wrote into the page. */
export interface Setting {
  readonly title: string
  readonly label: string
  readonly kind: 'openapi' | 'arazzo'
  readonly documentUrl: string
  readonly partsUrl: string
  /** The workflows that joined the version; shown in place of the operations where the address asks for them. */
  readonly workflowsUrl: string | null
  readonly feedUrl: string | null
  /** The hosts that the page's policy lets the browser call; null while they are not known. */
  readonly origins: readonly string[] | null
}

/** What every part of the page reads with. */
export interface ReaderEnvironment {
  readonly setting: Setting
  readonly parts: Parts
  readonly href: (place: PagePlace) => string
}

export const ReadingContext = createContext<ReaderEnvironment | null>(null)

/** @throws Error outside of the page */
export const useReading = (): ReaderEnvironment => {
  const reading = use(ReadingContext)
  if (reading === null) throw new Error('Nothing is being read here.')
  return reading
}
