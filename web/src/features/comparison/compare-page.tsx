import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { type Pair, type Pasted, readRef, type StoredRef, writeRef } from './queries.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { newestVersions } from '../versions/queries.ts'
import { type Choosing, PasteField, SidePicker } from './side-picker.tsx'
import { Comparison, type Shown } from './comparison-result.tsx'

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
  const choose = async (side: 'base' | 'head', chosen: Choosing): Promise<void> => {
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
  const pair: Pair | null =
    base === null ? null : isPasting ? pasted && { tenant, base, head: pasted } : head && { tenant, base, head }
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
        <div className="justify-self-center lg:self-center">
          <Button
            aria-label="Swap base and head"
            title="Swap base and head"
            disabled={isPasting || baseText === undefined || headText === undefined}
            onClick={() => filter({ base: headText, head: baseText })}
          >
            <ArrowLeftRight size={16} aria-hidden="true" className="max-lg:rotate-90" />
          </Button>
        </div>
        <div className="grid gap-2">
          {isPasting ? (
            <section aria-label="Head" className="card grid gap-3 p-4">
              <p>
                <span className="font-semibold">Head</span>{' '}
                <span className="text-sm text-soft">a document of yours</span>
              </p>
              <PasteField value={pasted} onCompare={setPasted} />
            </section>
          ) : (
            <SidePicker
              tenant={tenant}
              legend="Head"
              explained="new version"
              value={readSide(headText)}
              onChange={(value) => void choose('head', value)}
            />
          )}
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
        </div>
      </div>
      {base === null ? null : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          {isPasting ? null : (
            <p className="flex items-center gap-1 text-sm text-soft">
              Link to this comparison
              <CopyButton text={location.href} what="the link" />
            </p>
          )}
          <CommandHint command={commandOf({ tenant, base, head })} />
        </div>
      )}
      {pair === null ? (
        <Empty title="Choose what to compare">
          <p>
            {base === null
              ? 'Choose the current version as the base and the new version as the head.'
              : isPasting
                ? 'Choose a file or paste a document to compare it with the base.'
                : 'Choose the new version as the head.'}
          </p>
        </Empty>
      ) : (
        <Comparison key={`${baseText} ${headText}`} pair={pair} shown={shown} />
      )}
    </Page>
  )
}
