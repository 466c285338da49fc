import type { VersionPair } from './queries.ts'
import { Button } from '../../parts/button.tsx'
import { count, Moment } from '../../parts/page.tsx'
import { needs } from '../../parts/states.tsx'

/** The type of each property, in the order of the document. */
export type Properties = ReadonlyMap<string, string>

/** Why rules cannot be written for every property, or not by this user. */
export const Notices = (it: { pair: VersionPair; isAdded: boolean; isRemoved: boolean; readOnly: boolean }) => (
  <>
    {it.isAdded || it.isRemoved ? (
      <p className="text-warn">
        {it.isAdded
          ? `${it.pair.from} has no schema of this name: it was added.`
          : `${it.pair.to} has no schema of this name: it was removed.`}
      </p>
    ) : null}
    {it.readOnly ? <p className="text-sm text-soft">{needs('versions:edit', 'Editing migration rules')}</p> : null}
  </>
)

/** The properties that only the new version has, with their types. */
export const NewProperties = ({
  version,
  names,
  types,
}: {
  version: string
  names: readonly string[]
  types: Properties
}) =>
  names.length === 0 ? null : (
    <p className="flex flex-wrap items-center gap-1.5 text-sm text-soft">
      New in {version}:
      {names.map((it) => (
        <code key={it} className="rounded bg-ok-wash px-1.5 font-mono text-xs break-all text-ok">
          {it}: {types.get(it)}
        </code>
      ))}
    </p>
  )

const SaveState = ({ unsaved, savedAt }: { unsaved: boolean; savedAt: string | null }) => (
  <span role="status" className="text-sm text-soft">
    {unsaved ? (
      'Unsaved changes'
    ) : savedAt === null ? (
      'No rules saved'
    ) : (
      <>
        Saved <Moment at={savedAt} exact />
      </>
    )}
  </span>
)

/** Saves the rules, or takes the changes back. */
export const SaveBar = (it: {
  unsaved: boolean
  isSaving: boolean
  savedAt: string | null
  onSave: () => void
  onUndo: () => void
}) => (
  <div className="flex flex-wrap items-center gap-3">
    <Button look="primary" busy={it.isSaving} disabled={!it.unsaved} onClick={it.onSave}>
      Save rules
    </Button>
    {it.unsaved ? <Button onClick={it.onUndo}>Undo</Button> : null}
    <SaveState unsaved={it.unsaved} savedAt={it.savedAt} />
  </div>
)

/** How many proposals were rejected, and the way back. */
export const Rejected = ({ number, onShow }: { number: number; onShow: () => void }) =>
  number === 0 ? null : (
    <p className="flex flex-wrap items-center gap-3 text-sm text-soft">
      {count(number, 'proposal', 'proposals')} rejected.
      <button type="button" className="link" onClick={onShow}>
        Show again
      </button>
    </p>
  )
