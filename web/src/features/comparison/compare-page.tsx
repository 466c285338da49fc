import { ArrowLeftRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Pair, type Pasted, readRef, type StoredRef, writeRef } from './queries.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { newestVersions } from '../catalog/versions.ts'
import { Comparison, type Shown } from './comparison-result.tsx'
import { ChosenFile, DropField, type TextFile } from '../../parts/drop-field.tsx'
import { DocumentField } from '../../parts/document-field.tsx'
import { Field } from '../../parts/form.tsx'
import { ProjectPicker, VersionPicker } from '../catalog/pickers.tsx'

/** What is known of a side so far: a project may be chosen before its version is. */
type Choosing = Partial<StoredRef>

/** Project and version of one side. */
const SidePicker = ({
  tenant,
  legend,
  explained,
  kind,
  value,
  onChange,
}: {
  tenant: string
  legend: string
  explained: string
  /** What the side may be instead of a version. */
  kind?: ReactNode
  value: Choosing
  onChange: (value: Choosing) => void
}) => (
  <fieldset className="card grid min-w-0 content-start gap-3 p-4">
    <legend className="sr-only">{legend}</legend>
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p>
        <span className="font-semibold" aria-hidden="true">
          {legend}
        </span>{' '}
        <span className="text-sm text-soft">{explained}</span>
      </p>
      {kind}
    </div>
    <div className="grid gap-3 sm:grid-cols-2">
      <ProjectPicker
        tenant={tenant}
        label="Project"
        value={value.project ?? ''}
        onChoose={(project) => onChange({ project })}
      />
      <VersionPicker
        tenant={tenant}
        project={value.project ?? ''}
        label="Version"
        value={value.version ?? ''}
        onChoose={(version) => onChange({ ...value, version })}
      />
    </div>
  </fieldset>
)

/** A document that is not stored in the service: dropped as a file, or pasted. */
const PasteField = ({ value, onCompare }: { value: Pasted | null; onCompare: (pasted: Pasted) => void }) => {
  // What was chosen as a file stays out of the text field: megabytes in it would freeze the page.
  const [file, setFile] = useState<TextFile | null>(value)
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (file) onCompare(file)
        else if (text.trim() !== '') onCompare({ name: name.trim() || 'new version', text })
      }}
    >
      {file ? (
        <ChosenFile file={file} onRemove={() => setFile(null)} />
      ) : (
        <>
          <DropField
            label="Choose a file, or drop it here"
            accept=".yaml,.yml,.json"
            onText={(chosen, content) => {
              setFile({ name: chosen, text: content })
              onCompare({ name: chosen, text: content })
            }}
          />
          <DocumentField
            label="Or paste the document"
            value={text}
            onChange={setText}
            hint="It is compared and not stored. It is not part of the link to this page."
          />
          <Field label="Name (optional)" value={name} onChange={(event) => setName(event.target.value)} />
        </>
      )}
      <div>
        <Button type="submit" look="primary" disabled={file === null && text.trim() === ''}>
          Compare
        </Button>
      </div>
    </form>
  )
}

/** The word of the address in place of a head: a document that is pasted. */
const pasting = 'pasted'

/** The version that one usually means by a project: of the older side the one before the newest. */
const usual = async (tenant: string, project: string, side: 'base' | 'head'): Promise<string | null> => {
  const items = await newestVersions(tenant, project)
  return (side === 'base' ? items[1] : items[0])?.slug ?? items[0]?.slug ?? null
}

const readSide = (text: string | undefined): Choosing => readRef(text) ?? (text ? { project: text } : {})

const commandOf = ({ tenant, base, head }: { tenant: string; base: StoredRef; head: StoredRef | null }): string =>
  svcCommand(tenant, ['diff', writeRef(base), head === null ? 'candidate.yaml' : writeRef(head)], {
    format: 'markdown',
  })

/** The newer side: a version, or a document that is pasted. */
const HeadSide = ({
  tenant,
  value,
  pasted,
  onPaste,
  onChoose,
}: {
  tenant: string
  value: string | undefined
  pasted: Pasted | null
  onPaste: (pasted: Pasted | null) => void
  onChoose: (chosen: Choosing) => void
}) => {
  const { filter } = useAddress()
  const isPasting = value === pasting
  const kind = (
    <Choices
      label="Type of head"
      value={isPasting ? pasting : 'version'}
      choices={[
        { value: 'version', name: 'A version' },
        { value: pasting, name: 'Upload a document' },
      ]}
      onChange={(next) => {
        // The one that is pressed stays pressed.
        if (next !== null)
          filter({
            head: next === pasting ? pasting : undefined,
            severity: '',
            consumer: '',
            q: '',
            at: '',
            change: '',
          })
      }}
    />
  )
  return isPasting ? (
    <section aria-label="Head" className="card grid content-start gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>
          <span className="font-semibold">Head</span> <span className="text-sm text-soft">your document</span>
        </p>
        {kind}
      </div>
      <PasteField value={pasted} onCompare={onPaste} />
    </section>
  ) : (
    <SidePicker
      tenant={tenant}
      legend="Head"
      explained="new version"
      kind={kind}
      value={readSide(value)}
      onChange={onChoose}
    />
  )
}

/** What is compared; null until both sides are chosen. */
const pairOf = (tenant: string, base: StoredRef | null, head: StoredRef | Pasted | null): Pair | null =>
  base === null || head === null ? null : { tenant, base, head }

const missingSide = (base: StoredRef | null, isPasting: boolean): string => {
  if (base === null) return 'Choose the current version as the base and the new version as the head.'
  return isPasting
    ? 'Choose a file or paste a document to compare it with the base.'
    : 'Choose the new version as the head.'
}

/** The link and the command of a comparison. */
const ShareBar = ({ tenant, base, head }: { tenant: string; base: StoredRef; head: StoredRef | null }) => (
  <div className="flex flex-wrap items-center justify-between gap-3">
    {head === null ? null : (
      <p className="flex items-center gap-1 text-sm text-soft">
        Link to this comparison
        <CopyButton text={location.href} what="the link" />
      </p>
    )}
    <CommandHint command={commandOf({ tenant, base, head })} />
  </div>
)

/** Chooses a version of one side; a project alone means its usual version, also on the other side while that is empty. */
const useChooseSide = (tenant: string, baseText: string | undefined, headText: string | undefined) => {
  const { filter } = useAddress()
  return async (side: 'base' | 'head', chosen: Choosing): Promise<void> => {
    const { project } = chosen
    if (project === undefined) return
    const version = chosen.version ?? (await usual(tenant, project, side))
    const text = version === null ? project : writeRef({ project, version })
    // The other side is usually a version of the same project.
    const other = side === 'base' ? headText : baseText
    const beside = side === 'base' ? 'head' : 'base'
    const guess = other === undefined ? await usual(tenant, project, beside) : null
    filter({ [side]: text, ...(guess === null ? {} : { [beside]: writeRef({ project, version: guess }) }) })
  }
}

/** Compares any version with any other, or with a document that is nowhere yet. The address says it all but that document. */
export const ComparePage = ({
  tenant,
  base: baseText,
  head: headText,
  shown,
}: {
  tenant: string
  base: string | undefined
  head: string | undefined
  shown: Shown
}) => {
  const { filter } = useAddress()
  const [pasted, setPasted] = useState<Pasted | null>(null)
  const isPasting = headText === pasting
  const base = readRef(baseText)
  const head = isPasting ? null : readRef(headText)
  const choose = useChooseSide(tenant, baseText, headText)
  const pair = pairOf(tenant, base, isPasting ? pasted : head)
  return (
    <Page
      title="Compare"
      description="The changes between two versions, the consumers they affect, and a counterexample for each. You can share the link to this page."
    >
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
        <SidePicker
          tenant={tenant}
          legend="Base"
          explained="current version"
          value={readSide(baseText)}
          onChange={(value) => void choose('base', value)}
        />
        <div className="justify-self-center lg:pt-4">
          <Button
            aria-label="Swap base and head"
            title="Swap base and head"
            disabled={isPasting || baseText === undefined || headText === undefined}
            onClick={() => filter({ base: headText, head: baseText })}
          >
            <ArrowLeftRight size={16} aria-hidden="true" className="max-lg:rotate-90" />
          </Button>
        </div>
        <HeadSide
          tenant={tenant}
          value={headText}
          pasted={pasted}
          onPaste={setPasted}
          onChoose={(value) => void choose('head', value)}
        />
      </div>
      {base === null ? null : <ShareBar tenant={tenant} base={base} head={isPasting ? null : head} />}
      {pair === null ? (
        <Empty title="Choose what to compare">
          <p>{missingSide(base, isPasting)}</p>
        </Empty>
      ) : (
        <Comparison key={`${baseText} ${headText}`} pair={pair} shown={shown} />
      )}
    </Page>
  )
}
