import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { ReleaseDetail } from '../../../../../src/api/gateway-releases.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { bytesWords, count } from '../../../parts/text.ts'
import { CommandHint } from '../../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../../parts/copy.tsx'
import { Window } from '../../../parts/dialog.tsx'
import { saveFile } from '../../../parts/download.ts'
import { Read } from '../../../parts/listing.tsx'
import { Facts, Moment, Section } from '../../../parts/page.tsx'
import { Failure } from '../../../parts/states.tsx'
import { tarOf } from '../../../parts/tar.ts'
import { queryClient } from '../../../query-client.ts'
import type { EnvironmentAt } from '../queries.ts'
import { settingWords } from '../setting-words.ts'
import { enforcedNames, enforcedTones } from '../words.ts'
import { releaseFileQuery, releaseQuery } from './queries.ts'
import { causeWords, dialectTitle, linesWords } from './words.ts'

type Setting = ReleaseDetail['settings'][number]

/** Settings of which an engine says the same, together; what is enforced least comes first. */
const order = ['not-enforced', 'unproven', 'approximated', 'enforced'] as const
const alike = (settings: readonly Setting[]): readonly (readonly Setting[])[] =>
  [...Map.groupBy(settings, (it) => JSON.stringify([it.engine, it.state, it.reason])).values()].toSorted(
    ([a], [b]) => order.indexOf(a?.state ?? 'enforced') - order.indexOf(b?.state ?? 'enforced'),
  )

/** What a setting comes to: nothing is enforced while no gateway runs the release. */
const Outcome = ({ state, isRun }: { state: Setting['state']; isRun: boolean }) =>
  isRun || state === 'not-enforced' ? (
    <Badge tone={enforcedTones[state]}>{enforcedNames[state]}</Badge>
  ) : (
    <Badge>would be {enforcedNames[state]}</Badge>
  )

const Settings = ({ of: settings, isRun }: { of: readonly Setting[]; isRun: boolean }) => (
  <Section
    title="Settings in this release"
    description={
      isRun
        ? 'What the gateways do that report this release as active.'
        : 'No gateway runs this release: nothing of it is enforced. This is what a gateway would do with it.'
    }
  >
    <ul className="card divide-y" aria-label="Settings">
      {alike(settings).map((group) => {
        const [first] = group
        if (first === undefined) return null
        return (
          <li
            key={JSON.stringify([first.engine, first.state, first.reason])}
            className="grid gap-1 px-4 py-2.5 text-sm"
          >
            <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <Outcome state={first.state} isRun={isRun} />
              <span className="text-soft">{dialectTitle(first.engine)}</span>
              <span className="min-w-0 text-soft">{first.reason}</span>
            </p>
            <p className="text-xs wrap-anywhere text-soft">
              {group.map(({ setting }) => settingWords(setting)).join(', ')}
            </p>
          </li>
        )
      })}
    </ul>
  </Section>
)

const shownAtFirst = 50

const NotEnforced = ({ of: parts }: { of: ReleaseDetail['notEnforced'] }) =>
  parts.length === 0 ? null : (
    <Section
      title="Parts of the document that are not checked"
      description="A request is never refused for these; the reason says why."
    >
      <ul className="card divide-y" aria-label="Parts that are not checked">
        {parts.slice(0, shownAtFirst).map((part) => (
          <li key={`${part.engine} ${part.check} ${part.pointer}`} className="grid gap-0.5 px-4 py-2 text-sm">
            <span className="font-mono text-xs wrap-anywhere">{part.pointer}</span>
            <span className="text-soft">
              {dialectTitle(part.engine)}, {part.check}: {part.reason}
            </span>
          </li>
        ))}
      </ul>
      {parts.length > shownAtFirst ? (
        <p className="text-sm text-soft">
          {count(parts.length - shownAtFirst, 'more part', 'more parts')}: see the command above.
        </p>
      ) : null}
    </Section>
  )

const FileText = ({
  at,
  release,
  of: { engine, path },
}: {
  at: EnvironmentAt
  release: string
  of: ReleaseDetail['files'][number]
}) => {
  const file = useQuery(releaseFileQuery(at, release, engine, path))
  return (
    <Read query={file} what="the file">
      {({ text }) => (
        <div className="grid gap-2">
          <div className="justify-self-end">
            <CopyButton text={text} what="the file" />
          </div>
          <pre
            role="region"
            aria-label={path}
            tabIndex={0}
            className="max-h-[65vh] overflow-auto rounded-md bg-raised p-3 font-mono text-xs"
          >
            {text.slice(0, 200_000)}
          </pre>
          {text.length > 200_000 ? (
            <p className="text-sm text-soft">The rest is not shown; the copy is complete.</p>
          ) : null}
        </div>
      )}
    </Read>
  )
}

const ReleaseFacts = ({ entry }: { entry: ReleaseDetail }) => (
  <Facts
    facts={[
      ['Created', <Moment key="at" at={entry.createdAt} />],
      ['Policy', `version ${entry.policyVersion}`],
      ['Document', entry.versionLabel === null ? 'none is bound' : `version ${entry.versionLabel}`],
      ['In use on', entry.activeOn.length === 0 ? 'no gateway' : count(entry.activeOn.length, 'gateway', 'gateways')],
      ['Against the one before', linesWords(entry.diff)],
      ['Compiler', entry.compiler === null ? null : String(entry.compiler)],
      ...entry.targets.map(
        (target) =>
          [
            dialectTitle(target.engine),
            `${count(target.files, 'file', 'files')}, ${bytesWords(target.bytes)}, ${count(target.operations, 'operation', 'operations')}, ${count(target.bodies, 'request body', 'request bodies')}`,
          ] as const,
      ),
    ]}
  />
)

/** Saves the files of one engine as an archive. */
const DownloadFiles = ({
  at,
  release,
  number,
  engine,
  files,
}: {
  at: EnvironmentAt
  release: string
  number: number
  engine: ReleaseDetail['files'][number]['engine']
  files: ReleaseDetail['files']
}) => {
  const save = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const entries: { path: string; text: string }[] = []
      for (const { path } of files) {
        const { text } = await queryClient.fetchQuery(releaseFileQuery(at, release, engine, path))
        entries.push({ path, text })
      }
      saveFile(
        `${at.environment}-release-${number}-${engine}.tar`,
        new Blob([tarOf(entries)], { type: 'application/x-tar' }),
      )
    },
  })
  return (
    <>
      <Button busy={save.isPending} onClick={() => save.mutate()}>
        Download for {dialectTitle(engine)}
      </Button>
      {save.error ? <Failure error={save.error} /> : null}
    </>
  )
}

const Files = ({
  at,
  release,
  entry: { files, number },
}: {
  at: EnvironmentAt
  release: string
  entry: ReleaseDetail
}) => {
  const { open } = useAddress()
  return (
    <Section
      title="Files"
      actions={[...Map.groupBy(files, ({ engine }) => engine)].map(([engine, own]) => (
        <DownloadFiles key={engine} at={at} release={release} number={number} engine={engine} files={own} />
      ))}
    >
      <ul className="card divide-y" aria-label="Files">
        {files.map((file) => (
          <li key={`${file.engine} ${file.path}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
            <span className="min-w-0 grow font-mono text-sm wrap-anywhere">{file.path}</span>
            <span className="text-sm text-soft">
              {dialectTitle(file.engine)}, {bytesWords(file.bytes)}
            </span>
            <Button
              look="quiet"
              aria-label={`Show ${file.path} of ${dialectTitle(file.engine)}`}
              onClick={() => open('file', `${file.engine}/${file.path}`)}
            >
              Show
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** One release: why it was made, what each setting comes to, and its files. */
export const ReleaseView = ({ at, release }: { at: EnvironmentAt; release: string }) => {
  const detail = useQuery(releaseQuery(at, release))
  const { dialog, item, close } = useAddress()
  return (
    <Read query={detail} what="the release">
      {(entry) => {
        const asked = entry.files.find((file) => `${file.engine}/${file.path}` === item)
        return (
          <>
            <Section
              title={`Release ${entry.number}`}
              description={causeWords(entry)}
              actions={
                <CommandHint
                  command={svcCommand(at.tenant, ['gateway', 'release', 'show', at.environment, String(entry.number)])}
                />
              }
            >
              <div className="card grid gap-3 p-4">
                {entry.isLatest || entry.isStaged || entry.holds ? (
                  <div className="flex flex-wrap gap-2">
                    {entry.isLatest ? <Badge tone="accent">newest</Badge> : null}
                    {entry.isStaged ? <Badge tone="warn">waits to be used</Badge> : null}
                    {entry.holds ? <Badge tone="warn">holds until the policy changes</Badge> : null}
                  </div>
                ) : null}
                <ReleaseFacts entry={entry} />
                <Link
                  to="/t/$tenant/-/gateway/$environment/delivery/releases"
                  params={{ ...at }}
                  className="link text-sm"
                >
                  All releases
                </Link>
              </div>
            </Section>
            <Settings of={entry.settings} isRun={entry.activeOn.length > 0} />
            <NotEnforced of={entry.notEnforced} />
            <Files at={at} release={release} entry={entry} />
            {asked ? (
              <Window open={dialog === 'file'} onClose={close} title={asked.path}>
                <FileText at={at} release={release} of={asked} />
              </Window>
            ) : null}
          </>
        )
      }}
    </Read>
  )
}
