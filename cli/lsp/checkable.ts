import type { Document } from '../../src/document/document.ts'
import type { Documents } from '../../src/document/reference.ts'
import type { Applied } from './guides.ts'
import type { LaidDocument } from './overlays.ts'
import type { Key } from './store.ts'

/** A document of the editor with everything that checking it needs. */
export interface Checkable {
  readonly key: Key
  /** As it is written: fixes and suppressions are of it. */
  readonly document: Document
  /** With the overlays that `svc.yaml` names for it: what is linted and compared. */
  readonly laid: LaidDocument
  /** What `laid` refers to. */
  readonly documents: Documents
  /** Why registered types could not be read; null where they were, or none is used. */
  readonly typeFailure: string | null
  /** Null where it cannot be used. */
  readonly applied: Applied | null
}
