import { Link } from '@tanstack/react-router'
import { versionsApi, type VersionRecord } from '../../../../src/api/versions.ts'
import { callText } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { useDownload } from '../../parts/download.ts'
import { later } from '../../parts/later.tsx'
import { Section } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { type VersionRef, versionParams } from './queries.ts'

const Badges = later('the badges', async () => (await import('../projects/badges.tsx')).Badges)

const Address = ({ name, url, what }: { name: string; url: string; what: string }) => (
  <div className="grid gap-0.5">
    <h3 className="text-xs text-soft">{name}</h3>
    <p className="flex items-start gap-1">
      <a href={url} className="link min-w-0 font-mono text-xs break-all">
        {url}
      </a>
      <CopyButton text={url} what={what} />
    </p>
  </div>
)

/** Permanent addresses of a version, and its document as a file. */
export const LinksSection = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const download = useDownload()
  const { dialog, open, close } = useAddress()
  const extension =
    record.digest === record.provenance.digest && /\.ya?ml$/.test(record.provenance.source) ? 'yaml' : 'json'
  const absolute = (url: string): string => new URL(url, location.origin).href
  return (
    <Section title="Links">
      <div className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        <Address name="Documentation" url={absolute(record.urls.page)} what="the address of the documentation" />
        <Address name="Document" url={absolute(record.urls.document)} what="the address of the document" />
        <div className="flex flex-wrap gap-2">
          <Button
            busy={download.isPending}
            onClick={() =>
              download.mutate({
                name: `${at.project}-${record.label}.${extension}`,
                type: extension === 'yaml' ? 'application/yaml' : 'application/json',
                read: async () => (await callText(versionsApi.document, { params: versionParams(at) })).text,
              })
            }
          >
            Download
          </Button>
          <Link to="/t/$tenant/$project/$version/changes/report" params={{ ...at }} className={buttonClass()}>
            Release notes
          </Link>
          <Button onClick={() => open('badges')}>Badges …</Button>
        </div>
        {download.error ? <Failure error={download.error} /> : null}
      </div>
      <Window open={dialog === 'badges'} onClose={close} title="Badges">
        <Badges tenant={at.tenant} project={at.project} onClose={close} />
      </Window>
    </Section>
  )
}
