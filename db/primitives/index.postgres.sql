do $$
begin
  create extension if not exists pg_trgm;
  create index "primitives_folded_idx" on "primitives" using gin ("folded" gin_trgm_ops) with (fastupdate = off);
exception when others then
  raise notice 'without pg_trgm, searches for types read every row';
end
$$;
