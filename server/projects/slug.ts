import { and, eq } from 'drizzle-orm'
import { slugify } from '../../src/import/slug.ts'
import type { Reader } from '../../db/database.ts'
import { projects } from '../../db/tables.gen.ts'

/** The slug of a name, with a number behind it where the tenant has that slug already. */
export async function uniqueSlug(read: Reader, tenantId: string, name: string): Promise<string> {
  const wanted = slugify(name)
  for (let n = 1; ; n++) {
    const slug = n === 1 ? wanted : `${wanted}-${n}`
    const [taken] = await read
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.tenantId, tenantId), eq(projects.slug, slug)))
      .limit(1)
    if (!taken) return slug
  }
}
