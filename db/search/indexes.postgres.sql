drop index "search_entries_words_idx";
-- Its cost tells the planner what it is: rows are never compared one by one where an index can answer.
create function "search_terms"(words text, tenant_id text, ref text) returns tsvector language plpgsql immutable cost 1000 as $$
begin
  return array_to_tsvector(string_to_array(words
    || ' ' || chr(57345) || replace(tenant_id, '-', '')
    || ' ' || chr(57345) || case when ref like 'schema %' then 'schema' else 'operation' end, ' '));
end
$$;
create index "search_entries_current_idx" on "search_entries" using gin (search_terms("words", "tenant_id", "ref")) with (fastupdate = off) where "current";
create index "search_entries_older_idx" on "search_entries" using gin (search_terms("words", "tenant_id", "ref")) with (fastupdate = off) where not "current";
