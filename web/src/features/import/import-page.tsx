import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { bytesWords } from '../../parts/bytes.ts'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { BulkView } from './bulk-view.tsx'
import { CheckView } from './check-view.tsx'
import { type Chosen, commandOf, mayHoldSeveral, nameOf, sizeOf } from './chosen.ts'
import { SourcePanel } from './source-panel.tsx'

const ChosenSource = ({ chosen, onRemove }: { chosen: Chosen; onRemove: () => void }) => {
  const size = useMemo(() => sizeOf(chosen), [chosen])
  return (
    <p className="card flex flex-wrap items-center gap-3 px-4 py-2.5">
      <FileText size={17} aria-hidden="true" className="text-soft" />
      <span className="min-w-0 font-medium break-all">{nameOf(chosen)}</span>
      {size === null ? null : <span className="text-sm text-soft">{bytesWords(size)}</span>}
      <span className="grow" />
      <Button onClick={onRemove}>Choose another</Button>
    </p>
  )
}

const ImportFlow = ({ tenant, project }: { tenant: string; project: string | null }) => {
  const [{ chosen, turn }, setChoice] = useState<{ chosen: Chosen | null; turn: number }>({ chosen: null, turn: 0 })
  const choose = (next: Chosen | null): void => setChoice(({ turn: before }) => ({ chosen: next, turn: before + 1 }))
  if (chosen === null) return <SourcePanel onChoose={choose} />
  // The same document, chosen again after it was changed, is checked again.
  const id = String(turn)
  const command = commandOf(chosen)
  return (
    <>
      <ChosenSource chosen={chosen} onRemove={() => choose(null)} />
      {mayHoldSeveral(chosen) ? (
        <BulkView key={id} tenant={tenant} id={id} chosen={chosen} project={project} />
      ) : (
        <CheckView key={id} tenant={tenant} id={id} chosen={chosen} root={null} project={project} />
      )}
      {command ? (
        <CommandHint
          command={svcCommand(tenant, command.words, { ...command.options, 'project-slug': project ?? '' })}
        />
      ) : null}
    </>
  )
}

/** Imports documents: files, a folder, an archive, a text, a URL or a repository. They are checked before anything is stored. */
export const ImportPage = ({ tenant, project }: { tenant: string; project: string | null }) => {
  const identity = useQuery(identityQuery)
  return (
    <Page
      title={project === null ? 'Import a document' : `Import a version of ${project}`}
      description="The document is checked first: grade, breaking changes, and the project it belongs to."
    >
      <Read query={identity} what="your role">
        {() =>
          holds(identity.data, tenant, 'versions:edit') ? (
            <ImportFlow tenant={tenant} project={project} />
          ) : (
            <NoPermission permission="versions:edit" />
          )
        }
      </Read>
    </Page>
  )
}
