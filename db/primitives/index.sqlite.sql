create virtual table "primitive_search" using fts5(folded, content='', contentless_delete=1, detail=full, tokenize='trigram case_sensitive 1');
create trigger "primitives_inserted" after insert on "primitives" begin
  insert into "primitive_search" (rowid, folded) values (new."search_id", new."folded");
end;
create trigger "primitives_updated" after update of "folded" on "primitives" when old."folded" <> new."folded" begin
  delete from "primitive_search" where rowid = old."search_id";
  insert into "primitive_search" (rowid, folded) values (new."search_id", new."folded");
end;
create trigger "primitives_deleted" after delete on "primitives" begin
  delete from "primitive_search" where rowid = old."search_id";
end;
