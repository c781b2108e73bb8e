<?php
/** Stand-ins of WooCommerce, in namespaces of their own form so that one file has both. */

namespace Automattic\WooCommerce\Utilities {
	class FeaturesUtil {
		public static function declare_compatibility( $feature, $file, $is_compatible ) {
			$GLOBALS['world']['declared'][ $feature ] = array( basename( $file ), $is_compatible );
		}
	}
}

namespace {
	class WC_Data {
		protected $fields;
		public function __construct( $fields = array() ) {
			$this->fields = $fields;
		}
		/** `get_currency()` reads the field `currency`. Nothing has a method that WooCommerce does not have. */
		public function __call( $name, $given ) {
			$field = substr( $name, 4 );
			if ( 0 !== strpos( $name, 'get_' ) || ! array_key_exists( $field, $this->fields ) ) {
				throw new Error( "There is no method $name of " . static::class );
			}
			return $this->fields[ $field ];
		}
		public function get_id() {
			return (int) $this->fields['id'];
		}
	}

	class WC_Order_Item_Product extends WC_Data {}

	class WC_Order extends WC_Data {
		public function get_date_paid() {
			return $this->fields['date_paid'] ? new DateTime( $this->fields['date_paid'] ) : null;
		}
		public function get_formatted_billing_full_name() {
			return trim( $this->fields['billing_first_name'] . ' ' . $this->fields['billing_last_name'] );
		}
		public function get_order_number() {
			return $this->fields['number'];
		}
		public function get_items() {
			return array_map( fn( $item ) => new WC_Order_Item_Product( $item ), $this->fields['items'] );
		}
		public function get_item_total( $item, $has_tax ) {
			return $has_tax ? round( ( $item->get_total() + $item->get_total_tax() ) / $item->get_quantity(), 2 ) : $item->get_total();
		}
		public function update_meta_data( $name, $value ) {
			if ( $this->fields['is_broken'] ?? false ) {
				throw new TypeError( 'Another plugin broke this order.' );
			}
			$GLOBALS['world']['orders'][ $this->get_id() ]['meta'][ $name ] = $value;
		}
		public function save() {
			$GLOBALS['world']['orders'][ $this->get_id() ]['is_saved'] = true;
		}
	}

	function wc_get_order( $id ) {
		$fields = $GLOBALS['world']['orders'][ (int) $id ] ?? null;
		return $fields ? new WC_Order( $fields ) : false;
	}

	class WC_Webhook extends WC_Data {
		public function __construct( $id = 0 ) {
			parent::__construct( $GLOBALS['world']['webhooks'][ $id ] ?? array( 'id' => 0 ) );
		}
		public function __call( $name, $given ) {
			if ( 0 !== strpos( $name, 'set_' ) ) {
				return parent::__call( $name, $given );
			}
			$fields = array( 'name', 'topic', 'delivery_url', 'secret', 'api_version', 'user_id', 'failure_count', 'pending_delivery', 'status' );
			if ( ! in_array( substr( $name, 4 ), $fields, true ) ) {
				throw new Error( "There is no method $name of WC_Webhook" );
			}
			$this->fields[ substr( $name, 4 ) ] = $given[0];
		}
		public function save() {
			$this->fields['id']                             = $this->get_id() ?: count( $GLOBALS['world']['webhooks'] ) + 1;
			$GLOBALS['world']['webhooks'][ $this->get_id() ] = $this->fields;
		}
		public function delete( $is_forced ) {
			unset( $GLOBALS['world']['webhooks'][ $this->get_id() ] );
		}
		public function deliver_ping() {
			$GLOBALS['world']['pings'][] = $this->get_delivery_url();
			$fault                       = $GLOBALS['world']['pingFault'];
			return $fault ? new WP_Error( $fault ) : true;
		}
		/** As WooCommerce signs. */
		public function generate_signature( $payload ) {
			return base64_encode( hash_hmac( 'sha256', $payload, htmlspecialchars_decode( $this->get_secret(), ENT_QUOTES ), true ) );
		}
	}

	function wc_get_webhook( $id ) {
		$webhook = new WC_Webhook( $id );
		return 0 !== $webhook->get_id() ? $webhook : null;
	}

	// A step of the tests: signs a body as the webhook does.
	add_action( 'sign', function ( $id, $body ) {
		echo wc_get_webhook( $id )->generate_signature( $body );
	}, 10, 2 );
}
