-- Orders that a build before 000029_origin_sums.sql has summed are summed again, into both tables.
delete from order_sum;
delete from order_sum_range;
