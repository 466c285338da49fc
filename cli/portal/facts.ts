import { plural } from '../../src/plural.ts'
import type { PortalSetting } from '../../src/api/portal.ts'
import { renderFacts } from '../table.ts'

/** The setting of a portal as text: its state, its address, and why it shows nothing where that is so. */
export const portalFacts = ({ enabled, url, projects }: PortalSetting): string =>
  renderFacts([
    ['portal', enabled ? 'on' : 'off'],
    ['address', url],
    [
      'shows',
      projects === 0
        ? 'nothing: no version is published for everybody'
        : `${plural(projects, 'project')}${enabled ? '' : ' once it is on'}`,
    ],
  ])
