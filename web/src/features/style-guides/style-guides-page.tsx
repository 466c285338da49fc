import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { StyleGuideOut } from '../../../../src/api/style-guide-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Moment, Page, Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { CreateGuide, GuideDialogs } from './guide-forms.tsx'
import { guidesQuery } from './queries.ts'

/** The projects that a guide applies to, in words. */
const appliesTo = ({ assignments, isDefault }: StyleGuideOut): string => {
  if (assignments > 0)
    return `${count(assignments, 'project', 'projects')}${isDefault ? ' and all without an assigned guide' : ''}`
  return isDefault ? 'all projects without an assigned guide' : 'no projects'
}

const Where = ({ tenant, guide }: { tenant: string; guide: StyleGuideOut }) => (
  <Link
    to="/t/$tenant/-/style-guides/$guide/assignments"
    params={{ tenant, guide: guide.id }}
    className="link relative z-10"
  >
    {appliesTo(guide)}
    <span className="sr-only"> under {guide.name}</span>
  </Link>
)

const GuideRow = ({
  tenant,
  guide,
  may,
  onAsk,
}: {
  tenant: string
  guide: StyleGuideOut
  may: boolean
  onAsk: (dialog: string) => void
}) => (
  <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-raised">
    <div className="min-w-0 grow basis-64">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/t/$tenant/-/style-guides/$guide"
          params={{ tenant, guide: guide.id }}
          className="font-semibold break-words after:absolute after:inset-0"
        >
          {guide.name}
        </Link>
        {guide.isDefault ? <Badge tone="accent">default</Badge> : null}
      </p>
      {guide.description === '' ? null : <p className="truncate text-sm text-soft">{guide.description}</p>}
    </div>
    <dl className="grid basis-56 gap-y-0.5 text-sm text-soft sm:text-right">
      <div>
        <dt className="sr-only">Rules</dt>
        <dd className="tabular-nums">
          <span className="text-ink">{guide.rulesOn.toLocaleString()}</span> of {guide.rulesTotal.toLocaleString()}{' '}
          rules enabled{guide.customRules > 0 ? `, ${guide.customRules.toLocaleString()} custom` : ''}
        </dd>
      </div>
      <div>
        <dt className="sr-only">Applies to</dt>
        <dd>
          <Where tenant={tenant} guide={guide} />
          {guide.updatedAt ? (
            <>
              {' · '}
              <Moment at={guide.updatedAt} />
            </>
          ) : null}
        </dd>
      </div>
    </dl>
    {may ? (
      <div className="relative z-10">
        <Menu align="end" label={<span className="sr-only">Actions for {guide.name}</span>}>
          <MenuItem onClick={() => onAsk('duplicate')}>Duplicate …</MenuItem>
          {guide.isDefault ? null : <MenuItem onClick={() => onAsk('default')}>Make default …</MenuItem>}
          {guide.builtin ? null : (
            <>
              <MenuItem onClick={() => onAsk('rename')}>Rename …</MenuItem>
              <MenuLine />
              <MenuItem onClick={() => onAsk('delete')}>Delete …</MenuItem>
            </>
          )}
        </Menu>
      </div>
    ) : null}
  </li>
)

/** The style guides of an organization: its own ones first, then the builtin ones. */
export const StyleGuidesPage = ({ tenant }: { tenant: string }) => {
  const guides = useQuery(guidesQuery(tenant))
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close } = useAddress()
  const may = holds(identity.data, tenant, 'style_guides:edit')
  const asked = guides.data?.items.find((it) => it.id === item)
  const list = (items: readonly StyleGuideOut[]) => (
    // A menu of the last row reaches beyond the list.
    <ul className="card divide-y">
      {items.map((guide) => (
        <GuideRow key={guide.id} tenant={tenant} guide={guide} may={may} onAsk={(what) => open(what, guide.id)} />
      ))}
    </ul>
  )
  return (
    <Page
      title="Style guides"
      description="Lint rules, their severities, and the publishing policy of projects."
      actions={
        may ? (
          <Button look="primary" onClick={() => open('new')}>
            Create a guide …
          </Button>
        ) : null
      }
    >
      <Read query={guides} what="the guides">
        {({ items }) => {
          const own = items.filter((it) => !it.builtin)
          return (
            <>
              <Section
                title="Custom guides"
                actions={<CommandHint command={svcCommand(tenant, ['style-guide', 'list'])} />}
              >
                {own.length > 0 ? (
                  list(own)
                ) : (
                  <p className="card border-dashed px-4 py-6 text-soft">
                    No custom guides yet. A guide enables rules, sets their severities, adds custom rules in Spectral's
                    format and defines the publishing policy.{' '}
                    {may ? 'Duplicate a builtin guide to start with its rules.' : 'An Owner or Admin can create one.'}
                  </p>
                )}
              </Section>
              <Section title="Builtin" description="Builtin guides cannot be changed; duplicate one to customize it.">
                {list(items.filter((it) => it.builtin))}
              </Section>
            </>
          )
        }}
      </Read>
      <Window
        open={(dialog === 'new' || (dialog === 'duplicate' && asked !== undefined)) && may}
        onClose={close}
        title={asked ? `Duplicate ${asked.name}` : 'Create a style guide'}
      >
        <CreateGuide tenant={tenant} source={asked} onClose={close} />
      </Window>
      <GuideDialogs tenant={tenant} guide={asked} may={may} />
    </Page>
  )
}
