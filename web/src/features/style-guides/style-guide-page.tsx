import type { StyleGuideOut } from '../../../../src/api/style-guide-shapes.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Page } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'
import { CreateGuide, GuideDialogs } from './guide-forms.tsx'
import type { GuideRef } from '../lint/queries.ts'
import { guideQuery, whyReadOnly } from './queries.ts'

/** The guide of the page, and what its reader may do with it: asked by every view below. */
export const useGuide = (at: GuideRef) => {
  const guide = useQuery(guideQuery(at))
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, at.tenant, 'style_guides:edit')
  return { guide, may, own: may && guide.data !== undefined && !guide.data.builtin }
}

/** Why the guide cannot be changed here, and the way out where there is one. */
const ReadOnlyNote = ({ why, onDuplicate }: { why: string; onDuplicate: (() => void) | null }) => (
  <p role="status" className="card flex flex-wrap items-center justify-between gap-3 px-4 py-2.5 text-sm text-soft">
    {why}
    {onDuplicate ? <Button onClick={onDuplicate}>Duplicate …</Button> : null}
  </p>
)

const GuideActions = ({ guide }: { guide: StyleGuideOut }) => {
  const { open } = useAddress()
  return (
    <>
      {guide.isDefault ? null : <Button onClick={() => open('default')}>Make default …</Button>}
      {guide.builtin ? null : (
        <>
          <Button onClick={() => open('rename')}>Rename …</Button>
          <Menu align="end" look="plain" label="More">
            <MenuItem onClick={() => open('duplicate')}>Duplicate …</MenuItem>
            <MenuLine />
            <MenuItem onClick={() => open('delete')}>Delete …</MenuItem>
          </Menu>
        </>
      )}
    </>
  )
}

const GuideFacts = ({ guide }: { guide: StyleGuideOut }) => (
  <>
    {guide.description === '' ? null : <p>{guide.description}</p>}
    <p className="text-sm">
      {guide.rulesOn.toLocaleString()} of {guide.rulesTotal.toLocaleString()} rules enabled
      {guide.builtin ? null : (
        <>
          , digest <span className="font-mono text-xs">{guide.digest.slice(0, 19)}</span>
        </>
      )}
    </p>
  </>
)

/** One style guide: its facts above, and one of its views below. */
export const StyleGuidePage = (at: GuideRef) => {
  const { guide, may } = useGuide(at)
  const navigate = useNavigate()
  const { dialog, open, close } = useAddress()
  const record = guide.data
  const why = record ? whyReadOnly(record, may) : null
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/style-guides" params={{ tenant: at.tenant }} className="link">
          Style guides
        </Link>
      }
      title={record?.name ?? 'Style guide'}
      badges={
        record ? (
          <>
            {record.builtin ? <Badge>builtin</Badge> : null}
            {record.isDefault ? <Badge tone="accent">default</Badge> : null}
          </>
        ) : null
      }
      description={record ? <GuideFacts guide={record} /> : null}
      actions={record && may ? <GuideActions guide={record} /> : null}
    >
      <Read query={guide} what="the guide">
        {(record) => (
          <>
            {why === null ? null : (
              <ReadOnlyNote why={why} onDuplicate={may && record.builtin ? () => open('duplicate') : null} />
            )}
            <Tabs of="guide" params={{ ...at }} />
            <Outlet />
            <Window open={dialog === 'duplicate' && may} onClose={close} title={`Duplicate ${record.name}`}>
              <CreateGuide tenant={at.tenant} source={record} onClose={close} />
            </Window>
          </>
        )}
      </Read>
      <GuideDialogs
        tenant={at.tenant}
        guide={record}
        may={may}
        onDeleted={() => navigate({ to: '/t/$tenant/-/style-guides', params: { tenant: at.tenant }, replace: true })}
      />
    </Page>
  )
}
